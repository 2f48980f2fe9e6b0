import { describe, expect, it } from "vitest";
import { parseUserscript } from "@/userscripts/metadata";
import { type PlannedScript, planRegistrations } from "@/userscripts/plan";
import { rulesOf } from "@/userscripts/rules";
import { scriptInfo } from "@/userscripts/script-info";
import type { ScriptHead } from "@/userscripts/types";
import { worldFor } from "@/userscripts/world-for";

const OPTIONS = {
  runtimes: {},
  tester: "tester",
  pageAnnounce: "announce",
  pagePrelude: "prelude",
  relay: "relay",
  relayToken: "token",
  blocklist: [],
};
const PLATFORM = { os: "linux", arch: "x86-64", browserName: "chrome", browserVersion: "156" };

function planned(lines: string[], values: PlannedScript["values"], position = 1): PlannedScript {
  const header = ["@name Test", "@match https://a.test/*", ...lines].map((line) => `// ${line}\n`).join("");
  const code = `// ==UserScript==\n${header}// ==/UserScript==\nrun();`;
  const { metadata } = parseUserscript(code);
  if (!metadata) throw new Error("The test's header is wrong.");
  const head: ScriptHead = {
    uuid: `uuid-${position}`,
    identity: "",
    name: metadata.name,
    metadata,
    enabled: true,
    position,
    token: "secret",
    overrides: {},
    installedAt: 0,
    updatedAt: 0,
  };
  const world = worldFor(metadata);
  const info = scriptInfo(head, code, world, { version: "1", platform: PLATFORM });
  return { head, code, rules: rulesOf(head).rules, world, info, values };
}

const plan = (...scripts: PlannedScript[]) => planRegistrations(scripts, OPTIONS).scripts;
const before = { snapshot: '{"k":"1"}', revision: 7 };
const after = { snapshot: '{"k":"2"}', revision: 8 };

describe("a registration", () => {
  it("carries the values of a script that reads them synchronously, and changes with them", () => {
    const grants = ["@grant GM_getValue"];
    const own = plan(planned(grants, before)).at(-1)?.js?.at(-1)?.code;
    expect(own).toContain(JSON.stringify(before.snapshot));
    expect(plan(planned(grants, after))).not.toEqual(plan(planned(grants, before)));
  });

  it.each(["@grant GM.setValue", "@grant GM_setValue", "@grant none"])(
    "stays the same when values change that the script cannot read from it (%s)",
    (grant) => {
      expect(plan(planned([grant], after))).toEqual(plan(planned([grant], before)));
    },
  );

  it("comes in the order of execution: our own code, isolated scripts, scripts of the page's world", () => {
    const scripts = [
      planned(["@grant none"], before, 1),
      planned(["@grant GM_log"], before, 2),
      planned(["@grant GM_log"], before, 10),
    ];
    const ids = plan(...scripts).map(({ id }) => id);
    expect(ids).toEqual([...ids].sort());
    expect(ids.filter((id) => !id.startsWith("0:"))).toEqual([
      "1:0000000002:uuid-2",
      "1:0000000010:uuid-10",
      "2:0000000001:uuid-1",
    ]);
  });

  it("keeps every script off the pages of the blocklist, and our own code too", () => {
    const blocklist = ["https://bank.test/*"];
    const { scripts } = planRegistrations([planned(["@grant GM_log"], before)], { ...OPTIONS, blocklist });
    for (const { excludeMatches } of scripts) expect(excludeMatches).toEqual(blocklist);
  });
});
