import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findLeavingImports, roomOf } from "../../../scripts/lib/rooms";

const root = resolve(import.meta.dirname, "../../..");

/** A file that breaks one rule: where it stands, what it says, and the rule that must complain (null: allowed). */
type Probe = [path: string, code: string, rule: string | null];

const imports = (specifier: string) => `import { thing } from "${specifier}";\nexport const used = thing;\n`;
const restricted = "lint/style/noRestrictedImports";
const globals = "lint/style/noRestrictedGlobals";

const PROBES: Probe[] = [
  ["src/rpc/a.ts", imports("@/agent/contract/models"), restricted],
  ["src/rpc/b.ts", imports("@/rpc/contract"), null],
  ["src/platform/a.ts", imports("@/userscripts/registry"), restricted],
  ["src/platform/b.ts", imports("@/agent/services/chat"), restricted],
  ["src/platform/c.ts", imports("@/rpc/errors"), null],
  ["src/migrations/a.ts", imports("@/userscripts/registry"), restricted],
  ["src/migrations/b.ts", imports("@/platform/secrets"), restricted],
  ["src/migrations/c.ts", imports("@/platform/storage"), null],
  ["src/files/a.ts", imports("@/agent/services/chat"), restricted],
  ["src/files/b.ts", imports("@/platform/db"), null],
  ["src/files/store/a.ts", imports("@/platform/db"), restricted],
  ["src/files/store/b.ts", imports("@/rpc/errors"), null],
  ["src/consent/a.ts", imports("@/userscripts/registry"), restricted],
  ["src/consent/b.ts", imports("@/platform/session-list"), null],
  ["src/sandbox/a.ts", imports("@/agent/services/chat"), restricted],
  ["src/sandbox/b.ts", imports("@/userscripts/grants"), null],
  ["src/sandbox/guest/a.ts", imports("@/userscripts/grants"), restricted],
  ["src/sandbox/host/a.ts", imports("@/platform/db"), restricted],
  ["src/offscreen/a.ts", imports("@/files/service"), restricted],
  ["src/offscreen/b.ts", imports("@/sandbox/host/part"), null],
  ["src/log/a.ts", imports("@/attention/badge"), restricted],
  ["src/log/b.ts", imports("@/platform/db"), null],
  ["src/attention/a.ts", imports("@/log/service"), restricted],
  ["src/attention/b.ts", imports("@/locales/language"), null],
  ["src/agent/core/loop/a.ts", imports("@/agent/services/chat"), restricted],
  ["src/agent/core/loop/b.ts", imports("@/platform/db"), restricted],
  ["src/agent/core/loop/c.ts", imports("dexie"), restricted],
  ["src/agent/core/loop/d.ts", imports("node:fs"), restricted],
  ["src/agent/core/loop/e.ts", imports("webextension-polyfill"), restricted],
  ["src/agent/core/loop/f.ts", imports("@/agent/core/run/journal"), null],
  ["src/agent/core/loop/g.ts", imports("../tools/registry"), null],
  ["src/agent/core/loop/h.ts", imports("@ai-sdk/provider"), null],
  ["src/agent/services/a.ts", imports("@/pages/connect"), restricted],
  ["src/agent/services/b.ts", imports("@/agent/core/run/journal"), null],
  ["src/agent/api/a.ts", imports("@/agent/services/chat"), restricted],
  ["src/agent/api/b.ts", imports("@/agent/core/loop/step"), restricted],
  ["src/agent/api/c.ts", imports("zod"), restricted],
  ["src/agent/api/d.ts", imports("@/agent/contract/conversation"), null],
  ["src/gm/values/handler.ts", imports("@/agent/core/run/journal"), restricted],
  ["src/gm/values/client.ts", imports("@/platform/db"), restricted],
  ["src/gm/values/codec.ts", imports("@/pages/connect"), restricted],
  ["src/gm/values/contract.ts", imports("@/rpc/contract"), null],
  ["src/userscripts/a.ts", imports("@/agent/services/chat"), restricted],
  ["src/userscripts/b.ts", imports("@/pages/connect"), restricted],
  ["src/userscripts/c.ts", imports("@/platform/db"), null],
  ["src/userscripts/contract.ts", imports("@/userscripts/registry"), restricted],
  ["src/contexts/userscript/a.ts", imports("@/agent/services/chat"), restricted],
  ["src/contexts/userscript/b.ts", imports("@/agent/api/conversation"), null],
  ["src/contexts/worker/a.ts", imports("@/agent/services/chat"), null],
  ["src/contexts/worker/b.ts", imports("@/pages/connect"), restricted],
  ["src/page/a.ts", imports("@/platform/db"), restricted],
  ["src/operator/a.ts", imports("@/contexts/worker/core"), restricted],
  ["src/homepage/a.ts", imports("@/pages/connect"), restricted],
  ["src/locales/a.ts", imports("@/ui/button"), restricted],
  ["src/settings/a.ts", imports("@/contexts/worker/core"), restricted],
  ["src/ui/a.ts", imports("@/pages/connect"), restricted],
  ["src/ui/b.ts", imports("@/rpc/client"), restricted],
  ["src/pages/a.ts", imports("@/userscripts/registry"), restricted],
  ["src/pages/b.ts", imports("@/agent/services/chat"), restricted],
  ["src/pages/c.ts", imports("@/gm/values/handler"), restricted],
  ["src/pages/d.ts", imports("@/platform/db"), restricted],
  ["src/pages/e.ts", imports("@/userscripts/contract"), null],
  ["src/pages/f.ts", imports("@/platform/page-port"), null],
  ["src/pages/literal.tsx", "export const Page = () => <p>Hello there</p>;\n", "lint/style/noJsxLiterals"],
  ["src/pages/chrome.ts", "export const id = () => chrome.runtime.id;\n", globals],
  ["src/gm/values/chrome.ts", "export const id = () => chrome.runtime.id;\n", globals],
  ["src/gm/values/browser.ts", "export const id = () => browser.runtime.id;\n", globals],
  ["src/contexts/userscript/chrome.ts", "export const id = () => chrome.runtime.id;\n", globals],
  ["src/contexts/worker/chrome.ts", "export const id = () => chrome.runtime.id;\n", null],
  ["src/platform/chrome.ts", "export const id = () => chrome.runtime.id;\n", null],
  ["src/rpc/any.ts", "export const loose = (value: any) => value;\n", "lint/suspicious/noExplicitAny"],
  ["src/rpc/bang.ts", "export const sure = (value?: string) => value!;\n", "lint/style/noNonNullAssertion"],
  [
    "src/rpc/empty.ts",
    "export function quiet(act: () => void) {\n  try {\n    act();\n  } catch {}\n}\n",
    "lint/suspicious/noEmptyBlockStatements",
  ],
  [
    "src/rpc/ring-a.ts",
    'import { b } from "@/rpc/ring-b";\nexport const a = () => b;\n',
    "lint/suspicious/noImportCycles",
  ],
  [
    "src/rpc/ring-b.ts",
    'import { a } from "./ring-a";\nexport const b = () => a;\n',
    "lint/suspicious/noImportCycles",
  ],
];

interface Diagnostic {
  category: string;
  location: { path: string | { file: string } };
}

describe("the linter's boundaries", () => {
  const folder = mkdtempSync(join(tmpdir(), "moggy-boundaries-"));
  const found = new Map<string, Set<string>>();

  beforeAll(() => {
    for (const name of [
      "biome.json",
      "build/rooms.biome.json",
      "tsconfig.json",
      "package.json",
      ".gitignore",
    ]) {
      cpSync(join(root, name), join(folder, name));
    }
    for (const [path, code] of PROBES) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), code);
    }
    const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
    const run = spawnSync(
      process.execPath,
      [biome, "lint", "--reporter=json", "--max-diagnostics=none", "src"],
      { cwd: folder, encoding: "utf8" },
    );
    const report = JSON.parse(run.stdout) as { diagnostics: Diagnostic[] };
    for (const { category, location } of report.diagnostics) {
      const path = typeof location.path === "string" ? location.path : location.path.file;
      found.set(path, (found.get(path) ?? new Set()).add(category));
    }
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(PROBES)("%s: %j → %s", (path, _code, rule) => {
    const categories = [...(found.get(path) ?? [])];
    if (rule) expect(categories).toContain(rule);
    else expect(categories).toEqual([]);
  });
});

describe("relative imports", () => {
  it("knows the rooms", () => {
    expect(roomOf("src/agent/core/loop/step.ts")).toBe("agent/core");
    expect(roomOf("src/gm/values/client.ts")).toBe("gm");
  });

  it("may move within a room", () => {
    expect(findLeavingImports("src/agent/core/loop/a.ts", imports("../run/journal"))).toEqual([]);
    expect(findLeavingImports("src/gm/values/client.ts", imports("./contract"))).toEqual([]);
    expect(findLeavingImports("src/gm/values/client.ts", imports("@/rpc/client"))).toEqual([]);
  });

  it("may reach the few files outside of src that the product shows, and no others", () => {
    expect(findLeavingImports("src/pages/about.tsx", imports("../../LICENSE?raw"))).toEqual([]);
    expect(findLeavingImports("src/pages/about.tsx", imports("../../tests/servers/pages"))).toEqual([
      'src/pages/about.tsx:1: "../../tests/servers/pages" leads out of src; the product is made of src alone.',
    ]);
  });

  it.each([
    imports("../../services/chat"),
    'export * from "../../services/chat";\n',
    'import type { Chat } from "../../services/chat";\nexport type X = Chat;\n',
    'export const load = () => import("../../services/chat");\n',
  ])("may not leave it: %j", (code) => {
    const faults = findLeavingImports("src/agent/core/loop/a.ts", `// first line\n${code}`);
    expect(faults).toEqual([
      'src/agent/core/loop/a.ts:2: "../../services/chat" leads out of the room agent/core; write it as "@/agent/services/chat".',
    ]);
  });
});
