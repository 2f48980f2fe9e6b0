import fs from "node:fs";
import { startPageServer } from "../tests/servers/pages";
import { extensionUrl, launchWithExtension } from "./lib/extension";

const prof = fs.mkdtempSync("/tmp/adhoc-");
const ctx = await launchWithExtension({
  executablePath: "/usr/lib/chromium/chromium",
  extension: "/tmp/dist-thin",
  profile: prof,
  headless: true,
});
const srv = await startPageServer();
try {
  const sw = ctx.serviceWorkers()[0] ?? (await ctx.waitForEvent("serviceworker"));
  sw.on("console", (m) => console.log("SW|", m.text()));
  const o = await ctx.newPage();
  await o.goto(extensionUrl("options.html"));
  const ev = (m: any) => o.evaluate((m) => chrome.runtime.sendMessage(m), m);
  console.log(await ev({ type: "eval:ready" }));
  const t = (n: string, g: string[], c: string, ra = "document-start") =>
    `// ==UserScript==\n// @name ${n}\n// @match *://*/*\n${g.map((x) => `// @grant ${x}\n`).join("")}// @run-at ${ra}\n// ==/UserScript==\n${c}`;
  console.log(
    await ev({
      type: "eval:installScript",
      code: t(
        "A",
        ["GM_getValue", "GM_setValue"],
        `try{}catch(e){};console.log("A sees", GM_getValue("n",0), typeof chrome); GM_setValue("n",GM_getValue("n",0)+1); document.documentElement.dataset.a=GM_getValue("n"); setTimeout(()=>{throw new Error("late")},5)`,
      ),
    }),
  );
  console.log(
    await ev({
      type: "eval:installScript",
      code: t(
        "P",
        ["none"],
        `console.log("P page", GM_info.script.name); document.documentElement.dataset.p="1"; throw new Error("page boom")`,
      ),
    }),
  );
  console.log(await ev({ type: "eval:installScript", code: t("Bad", ["GM_info"], `not js at all`) }));
  const p = await ctx.newPage();
  p.on("console", (m) => console.log("|", m.text()));
  p.on("pageerror", (e) => console.log("PE", e.message));
  for (let i = 0; i < 3; i++) {
    await p.goto(srv.a + "/plain?" + i);
    console.log(await p.evaluate(() => JSON.stringify((window as any).__first)));
    await new Promise((r) => setTimeout(r, 300));
  }
  console.log(JSON.stringify(await ev({ type: "eval:scripts" }), null, 1));
  console.log(await ev({ type: "eval:nope" }));
} finally {
  await ctx.close();
  await srv.close();
  fs.rmSync(prof, { recursive: true });
}
