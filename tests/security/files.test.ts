import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser, type TestBrowser, userscript } from "../e2e/harness/browser";
import { callFiles, fileTree } from "../e2e/harness/files";
import { installProbe, probe } from "../e2e/harness/probe";
import { type PageServer, startPageServer } from "../servers/pages";
import { RAW_PORT } from "./support/raw-port";
import { tokensOf } from "./support/stored";

let browser: TestBrowser;
let pages: PageServer;

beforeAll(async () => {
  [browser, pages] = await Promise.all([launchBrowser(), startPageServer()]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), pages?.close()]);
});
beforeEach(async () => {
  await browser.eval("eval:clear");
  for (const area of ["attachments", "skills", "runs", "results"]) {
    await callFiles(browser.options, "write", { place: { area, path: "secret" }, bytes: 3 });
  }
});

const WAYS_OUT = [
  "../attachments/secret",
  "..",
  "../",
  "./../skills/secret",
  "a/../../runs/secret",
  "a/b/../../../results/secret",
  "/attachments/secret",
  "//attachments/secret",
  "/",
  "..\\attachments\\secret",
  "\\attachments\\secret",
  "C:\\attachments\\secret",
  "C:/attachments/secret",
  "C:secret",
  "file:///attachments/secret",
  "..%2fattachments%2fsecret/..",
  "../.moggy/temp/x",
  "..\u0000/attachments/secret",
  "attachments/secret\u0000.txt",
  "\u2024\u2024/attachments/secret/..",
  "..\uff0fattachments/../secret",
  ". ./attachments/secret",
  "... /attachments/secret",
  ".../secret",
  "a\u202e/secret",
  "CON",
  "nul.txt",
  "x".repeat(256),
  `${"d/".repeat(600)}f`,
  "\ud800",
];

describe("a script with CAT.agent.opfs (THREATS 9)", () => {
  it("leaves the workspace by no path, in no call", async () => {
    await installProbe(browser, "p", { grant: ["CAT.agent.opfs"] }, "const { opfs } = CAT.agent;");
    const page = await browser.newPage(`${pages.a}/plain`);
    await probe(page, "p", `await opfs.write("mine", "x")`);
    const before = await fileTree(browser.options);
    const names = await probe<string[]>(
      page,
      "p",
      `const names = [];
       for (const path of ${JSON.stringify(WAYS_OUT)}) {
         for (const call of [() => opfs.write(path, "owned"), () => opfs.read(path), () => opfs.read(path, "blob"), () => opfs.list(path), () => opfs.delete(path)]) {
           names.push(await call().then(() => "done: " + path, (error) => error.name));
         }
       }
       return [...new Set(names)]`,
    );
    expect(names).toEqual(["InvalidPathError"]);
    expect(await fileTree(browser.options)).toEqual(before);
    await page.close();
  });

  it("sees nothing of other areas and of other scripts' attachments, whatever it calls them", async () => {
    await installProbe(browser, "p", { grant: ["CAT.agent.opfs"] }, "const { opfs } = CAT.agent;");
    const page = await browser.newPage(`${pages.a}/plain`);
    expect(await probe(page, "p", "return opfs.list()")).toEqual([]);
    for (const path of ["attachments/secret", "secret", ".moggy"]) {
      await expect(probe(page, "p", `return opfs.read(${JSON.stringify(path)})`)).rejects.toMatchObject({
        name: "NotFoundError",
      });
    }
    for (const id of ["secret", "../skills/secret", "", "%"]) {
      await expect(
        probe(page, "p", `return opfs.readAttachment(${JSON.stringify(id)})`),
      ).rejects.toMatchObject({ name: "NotFoundError" });
    }
    await page.close();
  });

  it("is refused what it hands in of the wrong kind, and a field that it adds changes nothing", async () => {
    await browser.eval("eval:installScript", {
      code: userscript(
        { name: "Raw", match: `${pages.a}/*`, grant: ["CAT.agent.opfs"] },
        `${RAW_PORT}
document.addEventListener("go", async ({ detail: token }) => {
  const port = new RawPort();
  const channel = port.hello(token);
  const ask = async (id, m, a) => { const f = await port.call(channel, id, m, a); return f.t === "ok" ? "ok" : f.e.name; };
  const place = { area: "attachments", path: "secret" };
  document.documentElement.dataset.answers = JSON.stringify([
    await ask(1, "agent.opfs.read", { path: "secret", as: "text", area: "attachments" }),
    await ask(2, "agent.opfs.read", { path: ["secret"], as: "text" }),
    await ask(3, "agent.opfs.write", { op: "x".repeat(1000), path: "a", content: "x" }),
    await ask(4, "agent.opfs.write", { op: "1", path: "a", content: { toString: null } }),
    await ask(5, "files.read", { place }),
    await ask(6, "files.clear", {}),
    await ask(7, "files.store.read", { place }),
  ]);
});`,
      ),
    });
    const { all } = await tokensOf(browser.options);
    const page = await browser.newPage(`${pages.a}/plain`);
    const answers = await page.evaluate(async (token) => {
      document.dispatchEvent(new CustomEvent("go", { detail: token }));
      while (!document.documentElement.dataset.answers) await new Promise(requestAnimationFrame);
      return JSON.parse(document.documentElement.dataset.answers) as string[];
    }, all[0]);
    expect(answers.slice(0, 4)).toEqual(["NotFoundError", "TypeError", "TypeError", "TypeError"]);
    for (const answer of answers.slice(4))
      expect(["PermissionDeniedError", "NotFoundError"]).toContain(answer);
    expect((await fileTree(browser.options)).length).toBe(4);
    await page.close();
  });
});

describe("a script without the grant", () => {
  it("has no opfs, and is refused when it goes past that", async () => {
    await browser.eval("eval:installScript", {
      code: userscript(
        { name: "Raw", match: `${pages.a}/*`, grant: ["CAT.agent.model"] },
        `${RAW_PORT}
document.addEventListener("go", async ({ detail: token }) => {
  const port = new RawPort();
  const channel = port.hello(token);
  const names = [typeof CAT.agent.opfs];
  const calls = { write: { op: "1", path: "a", content: "x" }, read: { path: "a", as: "text" }, list: { path: "" }, delete: { op: "2", path: "a" }, readAttachment: { id: "secret" } };
  let id = 0;
  for (const [method, input] of Object.entries(calls)) names.push((await port.call(channel, ++id, "agent.opfs." + method, input)).e?.name);
  document.documentElement.dataset.answers = JSON.stringify(names);
});`,
      ),
    });
    const { all } = await tokensOf(browser.options);
    const page = await browser.newPage(`${pages.a}/plain`);
    const answers = await page.evaluate(async (token) => {
      document.dispatchEvent(new CustomEvent("go", { detail: token }));
      while (!document.documentElement.dataset.answers) await new Promise(requestAnimationFrame);
      return JSON.parse(document.documentElement.dataset.answers) as string[];
    }, all[0]);
    expect(answers).toEqual(["undefined", ...Array(5).fill("PermissionDeniedError")]);
    await page.close();
  });
});
