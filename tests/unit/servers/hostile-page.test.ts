import { type PageServer, startPageServer } from "@tests/servers/pages";
import { type DOMWindow, JSDOM } from "jsdom";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";

/**
 * The hostile page must really see what passes by it: a page that sees nothing would make every security test pass.
 * Each test here is a careless script that must be caught, or a careful one that must not.
 */

interface Entry {
  hook: string;
  self: string;
  values: string;
  stack: string;
  callers: string;
}

let pages: PageServer;
let window: DOMWindow;

beforeAll(async () => {
  pages = await startPageServer();
});
beforeEach(async () => {
  const dom = await JSDOM.fromURL(`${pages.a}/hostile`, { runScripts: "dangerously" });
  window = dom.window;
  return () => window.close();
});
afterAll(() => pages.close());

/** Runs code as a script of the page. */
function run(code: string): void {
  const script = window.document.createElement("script");
  script.textContent = code;
  window.document.head.append(script);
}

/** Where the text was seen: the hooks' names. Text of the test's own script element, which the page sees too, is left out. */
function seenIn(text: string): string[] {
  const entries = window.__loot as Entry[];
  return entries
    .filter((entry) => !/ node$|outerHTML|textContent|append/.test(entry.hook))
    .filter((entry) => `${entry.self}${entry.values}${entry.stack}${entry.callers}`.includes(text))
    .map((entry) => entry.hook);
}

// The secret is put together at run time, so that the source of the test's script does not hold it.
const SECRET = "s3cr3t-token";
const MAKE = '["s3cr3t", "token"].reduce((a, b) => a + "-" + b)';

it("still records what came first, and still works as a page", () => {
  expect(window.__first).toMatchObject({ t: expect.any(Number) });
  run(`window.works = [
    new Map([[1, 2]]).get(1),
    [3, 1, 2].sort().join(),
    JSON.stringify({ a: [1, { b: 2 }] }),
    class extends CustomEvent {}.name,
    new (class extends Map {})() instanceof Map,
    new CustomEvent("x") instanceof Event,
    "a-b".replace(/-/g, "+"),
    (() => { const o = {}; o.token = 1; o.token += 1; return Object.keys(o).join() + o.token; })(),
  ]`);
  expect([...(window.works as unknown[])]).toEqual([
    2,
    "1,2,3",
    '{"a":[1,{"b":2}]}',
    "",
    true,
    true,
    "a+b",
    "token2",
  ]);
});

it.each([
  ["an argument of a patched native", `JSON.stringify({ t: ${MAKE} })`],
  ["an argument of call, apply or bind", `(function () {}).call(null, { t: ${MAKE} })`],
  ["an assignment to an object without that property", `const box = {}; box.capability = ${MAKE};`],
  [
    "the detail of an event",
    `window.dispatchEvent(new CustomEvent("made-up-name", { detail: { t: ${MAKE} } }))`,
  ],
  ["a message to the window", `window.postMessage({ t: ${MAKE} }, "*")`],
  ["a promise's value", `Promise.resolve({ t: ${MAKE} })`],
  ["an entry of a map", `new Map().set("k", ${MAKE})`],
  ["the arguments of a sloppy caller", `(function sloppy(t) { [1].map((x) => x); })(${MAKE})`],
])("catches a secret in %s", (_where, code) => {
  run(code);
  expect(seenIn(SECRET)).not.toEqual([]);
});

it("catches the source of a sloppy function up the stack, and not that of a strict one", () => {
  const body = (strict: string, mark: string) =>
    `(0, eval)("(function () { ${strict} /* ${mark} */ [1].map((x) => x); })")();`;
  run(body("", "sloppy-source"));
  run(body("'use strict';", "strict-source"));
  const callers = (window.__loot as Entry[]).map((entry) => entry.callers + entry.stack).join("\n");
  expect(callers).toContain("sloppy-source");
  expect(callers).not.toContain("strict-source");
});

it("does not catch what a careful script keeps in its own closure", () => {
  run(
    `(() => { "use strict"; const kept = ${MAKE}; window.careful = () => kept.length; })(); window.careful();`,
  );
  expect(seenIn(SECRET)).toEqual([]);
});

it("replays the events it has heard", () => {
  run(`window.heard = 0; window.addEventListener("channel", () => { window.heard += 1; });
    window.dispatchEvent(new CustomEvent("channel", { detail: 1 }));
    window.__replay();`);
  expect(window.heard).toBeGreaterThan(1);
});

it("attacks late when it is the late one", async () => {
  const late = (await JSDOM.fromURL(`${pages.a}/hostile-late`, { runScripts: "dangerously" })).window;
  expect(late.__loot).toBeUndefined();
  await expect.poll(() => late.__loot).toBeDefined();
  late.close();
});
