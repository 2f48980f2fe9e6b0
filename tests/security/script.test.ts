import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser, type TestBrowser, userscript } from "../e2e/harness/browser";
import { type LlmServer, startLlmServer } from "../servers/llm";
import { type PageServer, startPageServer } from "../servers/pages";
import { everyMethod, RAW_PORT } from "./support/raw-port";
import { install, listed, REPORT, reportOf } from "./support/reports";
import { tokensOf } from "./support/stored";

let browser: TestBrowser;
let pages: PageServer;
let llm: LlmServer;

beforeAll(async () => {
  [browser, pages, llm] = await Promise.all([launchBrowser(), startPageServer(), startLlmServer()]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), pages?.close(), llm?.close()]);
});
beforeEach(async () => {
  await browser.eval("eval:clear");
  pages.reset();
  llm.reset();
});

const matchA = () => `${pages.a}/*`;

interface Refusal {
  name: string;
  t: string;
  e?: { name: string; message: string };
}

/** A script with something to lose, which has run once. */
async function installVictim(): Promise<string> {
  const uuid = await install(
    browser,
    userscript(
      { name: "Victim", match: `${pages.a}/page/victim`, grant: ["GM_setValue", "CAT.agent.conversation"] },
      `${REPORT}
GM_setValue("own", "kept");
CAT.agent.conversation.create({ id: "private" }).then((conversation) => conversation.chat("private words"))
  .then(() => report("victim", true), (error) => report("victim", String(error)));`,
    ),
  );
  llm.scriptByState(() => ({ text: "a private answer" }));
  await browser.eval("eval:setModel", { provider: "openai", apiBaseUrl: llm.openaiBaseUrl, model: "fake" });
  const page = await browser.newPage(`${pages.a}/page/victim`);
  expect(await reportOf(page, "victim")).toBe(true);
  await page.close();
  return uuid;
}

/** What the victim has: values, runs, no errors, enabled. */
async function stateOf(uuid: string): Promise<unknown> {
  const { errors, ...rest } = await listed(browser, uuid);
  return {
    ...rest,
    errors: errors.length,
    values: await browser.eval("eval:values", { uuid }),
    runs: await browser.eval("eval:runs"),
    scripts: (await browser.eval<unknown[]>("eval:scripts")).length,
    asked: pages.requests.filter((visit) => visit.path === "/bait").length,
    model: llm.requests.length,
  };
}

describe("a script that goes past the runtime, over a port of its own", () => {
  it("is refused every method whatever token it makes up, and gets no answer without one", async () => {
    const victim = await installVictim();
    const before = await stateOf(victim);
    const methods = everyMethod({ uuid: victim, url: `${pages.a}/bait` });
    const { scripts } = await tokensOf(browser.options);
    const cut = scripts[victim]?.slice(0, -1) ?? "";
    const guesses = [
      "",
      "undefined",
      "null",
      victim,
      cut,
      `${cut}=`,
      "A".repeat(32),
      "relayToken",
      "*",
      "[object Object]",
    ];
    await install(
      browser,
      userscript(
        { name: "Attacker", match: matchA(), grant: "GM_info" },
        `${REPORT}${RAW_PORT}
(async () => {
  const port = new RawPort();
  // Not tokens at all, and frames on channels that nobody opened.
  for (const hello of [null, 1, {}, [], true, new Map(), { toString: () => "x" }.x]) port.send({ c: 900, hello });
  for (const message of [null, 1, "x", [], {}, { c: "1", hello: "x" }, { c: NaN, f: {} }, { hello: "x" }]) port.send(message);
  const methods = ${JSON.stringify(methods)};
  for (const { name, input } of methods) {
    for (const c of [900, 901, -1, 0]) for (const t of ["call", "open"]) port.send({ c, f: { t, id: 1, m: name, a: input, w: 1 } });
  }
  const refusals = [];
  for (const guess of ${JSON.stringify(guesses)}) {
    const c = port.hello(guess);
    let id = 0;
    for (const { name, kind, input } of methods) refusals.push({ name, ...(await port.call(c, ++id, name, input, kind)) });
  }
  report("refused", { refusals, unasked: port.answers.filter(({ c }) => c > ${guesses.length} || c < 1).length });
})();`,
      ),
    );
    const page = await browser.newPage(`${pages.a}/plain`);
    const { refusals, unasked } = await reportOf<{ refusals: Refusal[]; unasked: number }>(page, "refused");
    expect(unasked).toBe(0);
    expect(refusals).toHaveLength(guesses.length * methods.length);
    expect(refusals.filter(({ t, e }) => t !== "fail" || e?.name !== "PermissionDeniedError")).toEqual([]);
    expect(await stateOf(victim)).toEqual({ ...Object(before), scripts: 2 });
    await page.close();
  });

  it("even with its own token in hand, can do nothing that it was not granted, nor anything as another", async () => {
    const victim = await installVictim();
    const runs = await browser.eval<Array<{ id: string }>>("eval:runs");
    const before = await stateOf(victim);
    const methods = everyMethod({ uuid: victim, url: `${pages.a}/bait` });
    const attacker = await install(
      browser,
      userscript(
        { name: "Attacker", match: matchA(), grant: "GM_info" },
        `${REPORT}${RAW_PORT}
document.addEventListener("token", async ({ detail: token }) => {
  const port = new RawPort();
  const c = port.hello(token);
  const refusals = [];
  let id = 0;
  for (const { name, kind, input, grants } of ${JSON.stringify(methods)})
    for (const t of [kind, kind === "call" ? "open" : "call"]) {
      const answer = port.call(c, ++id, name, input, t);
      // A stream that it may have says nothing until there is something.
      if (grants?.length !== 0 || t !== "open" || kind !== "open") refusals.push({ name, asked: t, ...(await answer) });
    }
  for (const m of ["eval:values", "constructor", "__proto__", "toString", "gm.values", "", "gm.values.", "agent."])
    refusals.push({ name: m, ...(await port.call(c, ++id, m, { uuid: "${victim}" })) });
  report("refused", refusals);
});
report("ready", true);`,
      ),
    );
    const page = await browser.newPage(`${pages.a}/plain`);
    await reportOf(page, "ready");
    const { scripts } = await tokensOf(browser.options);
    await page.evaluate(
      (detail) => document.dispatchEvent(new CustomEvent("token", { detail })),
      scripts[attacker] ?? "",
    );
    const refusals = await reportOf<Array<Refusal & { asked?: string }>>(page, "refused");
    const open = methods.filter(({ grants }) => grants?.length === 0).map(({ name }) => name);
    expect(open.sort()).toEqual(["gm.errors.report", "gm.events.subscribe"]);
    for (const { name, t, e, asked } of refusals) {
      const kind = methods.find((method) => method.name === name)?.kind;
      if (open.includes(name) && asked === kind) continue;
      expect([name, asked, t, e?.name]).toEqual([
        name,
        asked,
        "fail",
        kind === asked && kind !== undefined ? "PermissionDeniedError" : "NotFoundError",
      ]);
    }
    expect(runs).toHaveLength(1);
    expect(await stateOf(victim)).toEqual({ ...Object(before), scripts: 2 });
    await page.close();
  });
});

describe("the token of our own relay", () => {
  it("lets its holder add lines to logs of page-world scripts, which their page can do anyway, and nothing else", async () => {
    const isolated = await installVictim();
    const inPage = await install(
      browser,
      userscript({ name: "In page", match: matchA(), grant: "none" }, "void GM_info;"),
    );
    const before = await stateOf(isolated);
    const methods = everyMethod({ uuid: isolated, url: `${pages.a}/bait` });
    await install(
      browser,
      userscript(
        { name: "Attacker", match: matchA(), grant: "GM_info" },
        `${REPORT}${RAW_PORT}
document.addEventListener("token", async ({ detail: token }) => {
  const port = new RawPort();
  const c = port.hello(token);
  const refusals = [];
  let id = 0;
  for (const { name, kind, input } of ${JSON.stringify(methods)})
    refusals.push({ name, ...(await port.call(c, ++id, name, input, kind)) });
  const line = { uuid: "${inPage}", message: "a line", url: location.href };
  report("relayed", { refusals, line: (await port.call(c, ++id, "gm.relay.reportError", line)).t });
});
report("ready", true);`,
      ),
    );
    const page = await browser.newPage(`${pages.a}/plain`);
    await reportOf(page, "ready");
    const { scripts, all } = await tokensOf(browser.options);
    const relay = all.find((token) => !Object.values(scripts).includes(token));
    await page.evaluate((detail) => document.dispatchEvent(new CustomEvent("token", { detail })), relay);
    const { refusals, line } = await reportOf<{ refusals: Refusal[]; line: string }>(page, "relayed");
    expect(relay).toBeDefined();
    expect(refusals.filter(({ e }) => e?.name !== "PermissionDeniedError")).toEqual([]);
    expect(line).toBe("ok");
    expect((await listed(browser, inPage)).errors.map(({ message }) => message)).toEqual(["a line"]);
    expect(await stateOf(isolated)).toEqual({ ...Object(before), scripts: 3 });
    await page.close();
  });
});

describe("a script with every grant", () => {
  const ALL = [
    "GM_setValue",
    "GM.getValue",
    "GM.listValues",
    "GM_deleteValue",
    "CAT.agent.conversation",
    "CAT.agent.model",
  ];

  it("reaches neither values nor conversations nor runs of another", async () => {
    const victim = await installVictim();
    const [run] = await browser.eval<Array<{ id: string }>>("eval:runs");
    const before = await stateOf(victim);
    const attacker = await install(
      browser,
      userscript(
        { name: "Attacker", match: matchA(), grant: ALL },
        `${REPORT}${RAW_PORT}
document.addEventListener("token", async ({ detail: token }) => {
  const seen = {};
  seen.value = await GM.getValue("own", "none");
  seen.keys = await GM.listValues();
  seen.sideways = await GM.getValue("../${victim}/own", "none");
  GM_deleteValue("own");
  for (const id of ["private", "${victim}/private", "../${victim}/private", "eval/private"])
    seen[id] = (await CAT.agent.conversation.get(id)) === null;
  const own = await CAT.agent.conversation.create({ id: "private" });
  seen.messages = (await own.getMessages()).length;
  const port = new RawPort();
  const c = port.hello(token);
  let id = 0;
  const raw = async (m, a, t) => { const { v, e } = await port.call(c, ++id, m, a, t); return e?.name ?? v ?? null; };
  const uuid = "${victim}";
  seen.read = await raw("gm.values.read", { keys: ["own"], uuid, store: uuid }).then((answer) => answer.entries ?? answer);
  seen.turn = await raw("agent.conversation.turn", { conversationId: "private", turnId: "${run?.id}", content: "take up" }, "open");
  seen.result = await raw("agent.conversation.toolResult", { runId: "${run?.id}", callId: "1", outcome: { ok: true, value: "forged" } });
  for (const method of ["messages", "clear", "save", "stop"])
    seen[method + " of it"] = await raw("agent.conversation." + method, { conversationId: "${victim}/private" });
  report("seen", seen);
});
report("ready", true);`,
      ),
    );
    const page = await browser.newPage(`${pages.a}/plain`);
    await reportOf(page, "ready");
    const { scripts } = await tokensOf(browser.options);
    await page.evaluate(
      (detail) => document.dispatchEvent(new CustomEvent("token", { detail })),
      scripts[attacker] ?? "",
    );
    expect(await reportOf(page, "seen")).toEqual({
      value: "none",
      keys: [],
      sideways: "none",
      private: true,
      [`${victim}/private`]: true,
      [`../${victim}/private`]: true,
      "eval/private": true,
      messages: 0,
      read: [],
      turn: "NotFoundError",
      result: "NotFoundError",
      "messages of it": "NotFoundError",
      "clear of it": "NotFoundError",
      "save of it": "NotFoundError",
      "stop of it": "NotFoundError",
    });
    expect(await stateOf(victim)).toEqual({ ...Object(before), scripts: 2 });
    await page.close();
  });
});

describe("messages without a port", () => {
  it("are answered by nobody, in the build that answers eval messages to its own pages", async () => {
    const victim = await installVictim();
    const before = await stateOf(victim);
    await install(
      browser,
      userscript(
        { name: "Attacker", match: matchA(), grant: "GM_info" },
        `${REPORT}${RAW_PORT}
(async () => {
  const runtime = rawRuntime();
  const answers = [];
  for (const type of ["eval:ready", "eval:values", "eval:removeScript", "eval:scripts", "eval:setModel", "eval:clear", "eval:policy"]) {
    for (const send of [(m) => runtime.sendMessage(m), (m) => runtime.sendMessage(runtime.id, m)])
      answers.push(await send({ type, uuid: "${victim}" }).then((answer) => answer ?? "nothing", () => "nobody"));
  }
  report("answers", answers);
})();`,
      ),
    );
    const page = await browser.newPage(`${pages.a}/plain`);
    const answers = await reportOf<string[]>(page, "answers");
    expect(answers).toHaveLength(14);
    expect(answers.filter((answer) => answer !== "nobody" && answer !== "nothing")).toEqual([]);
    expect(await stateOf(victim)).toEqual({ ...Object(before), scripts: 2 });
    await page.close();
  });
});
