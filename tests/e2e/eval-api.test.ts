import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { everythingStored } from "../security/support/stored";
import { type LlmServer, startLlmServer } from "../servers/llm";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser, userscript } from "./harness/browser";

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
  llm.reset();
});

/** The answer as it comes, not unpacked. */
const raw = (message: unknown) =>
  browser.options.evaluate((sent) => chrome.runtime.sendMessage(sent) as Promise<unknown>, message);

const STRING = expect.any(String);
const NUMBER = expect.any(Number);
const VALUES = ["GM_setValue", "GM.setValue", "GM_getValue"];

async function useModel(): Promise<string> {
  const { id } = await browser.eval<{ id: string }>("eval:setModel", {
    provider: "openai",
    apiBaseUrl: llm.openaiBaseUrl,
    apiKey: "sk-secret-key",
    model: "m",
    contextWindow: 32_000,
  });
  return id;
}

describe("the eval messages that this version answers", () => {
  it("come as { ok, data } or { ok, error: { name, message } }", async () => {
    expect(await raw({ type: "eval:policy", confirm: "ask" })).toEqual({ ok: true, data: {} });
    expect(await raw({ type: "eval:installScript" })).toEqual({
      ok: false,
      error: { name: "TypeError", message: expect.stringContaining('"code"') },
    });
  });

  it("eval:ready", async () => {
    const { version } = await browser.options.evaluate(() => chrome.runtime.getManifest());
    expect(await browser.eval("eval:ready")).toEqual({
      version,
      userScripts: true,
      debugger: true,
      contexts: ["worker", "engine"],
    });
  });

  it("eval:installScript, eval:scripts, eval:values, eval:removeScript", async () => {
    const code = userscript(
      { name: "Writer", match: "*://*/*", grant: VALUES },
      `GM_setValue("when", new Date(5)); GM_setValue("n", { a: [1] }); throw new Error("after");`,
    );
    const done = await browser.eval<{ uuid: string }>("eval:installScript", {
      code,
      url: "https://x.test/w.user.js",
    });
    expect(done).toEqual({ uuid: STRING, name: "Writer", warnings: [STRING] });
    const { uuid } = done;
    const page = await browser.newPage(`${pages.a}/plain`);
    await expect.poll(() => browser.eval("eval:values", { uuid })).toMatchObject({ n: { a: [1] } });
    await page.close();
    const list = () => browser.eval<Array<{ errors: unknown[] }>>("eval:scripts");
    await expect.poll(async () => (await list())[0]?.errors.length).toBe(1);
    expect(await list()).toEqual([
      {
        uuid,
        name: "Writer",
        enabled: true,
        grants: VALUES,
        world: "isolated",
        errors: [
          expect.objectContaining({
            uuid,
            message: expect.stringContaining("after"),
            at: NUMBER,
            url: `${pages.a}/plain`,
          }),
        ],
      },
    ]);
    expect(
      await browser.eval("eval:installScript", { code: code.replace("Writer", "Off"), enabled: false }),
    ).toMatchObject({ name: "Off" });
    expect(
      (await browser.eval<Array<{ enabled: boolean }>>("eval:scripts")).map(({ enabled }) => enabled),
    ).toEqual([true, false]);
    expect(await browser.eval("eval:removeScript", { uuid })).toEqual({});
    expect(await list()).toHaveLength(1);
    await expect(browser.eval("eval:removeScript", { uuid })).rejects.toMatchObject({
      name: "NotFoundError",
    });
    await expect(browser.eval("eval:installScript", { code: "no header" })).rejects.toMatchObject({
      name: "InstallRefusedError",
      message: expect.stringContaining("header.missing"),
    });
  });

  it("eval:setSettings gives all settings; a patch that is none is refused and changes nothing", async () => {
    const before = await browser.eval<Record<string, unknown>>("eval:setSettings", { patch: {} });
    expect(before).toMatchObject({ theme: STRING, language: STRING, paused: false, blocklist: [] });
    expect(await browser.eval("eval:setSettings", { patch: { paused: true } })).toEqual({
      ...before,
      paused: true,
    });
    await expect(browser.eval("eval:setSettings", { patch: { paused: "yes" } })).rejects.toMatchObject({
      message: expect.stringContaining("paused"),
    });
    await expect(browser.eval("eval:setSettings", {})).rejects.toThrow();
    expect(await browser.eval("eval:setSettings", { patch: {} })).toEqual({ ...before, paused: true });
  });

  it("eval:setModel makes the model the default; what is no model is refused; the key is nowhere in the clear", async () => {
    const id = await useModel();
    expect(id).toMatch(/./);
    await expect(
      browser.eval("eval:setModel", { provider: "no-such", apiBaseUrl: "x", model: "m" }),
    ).rejects.toMatchObject({
      message: expect.stringContaining("provider"),
    });
    for (const { place, text } of await everythingStored(browser.options))
      expect(text, place).not.toContain("sk-secret-key");
  });

  it("eval:chat begins a run at once; eval:runs and eval:events show it", async () => {
    await useModel();
    llm.script([{ text: ["Hello ", "there."] }, { text: "Again." }]);
    const begun = await browser.eval<{ runId: string; conversationId: string }>("eval:chat", {
      content: "Hi",
    });
    expect(begun).toEqual({ runId: STRING, conversationId: STRING });
    const { runId, conversationId } = begun;
    await expect.poll(() => browser.eval("eval:runs", { status: "done" })).toHaveLength(1);
    expect(await browser.eval("eval:runs")).toEqual([
      expect.objectContaining({
        id: runId,
        kind: STRING,
        title: STRING,
        status: "done",
        startedAt: NUMBER,
        endedAt: NUMBER,
      }),
    ]);
    const events = await browser.eval<Array<{ seq: number }>>("eval:events", { runId });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => (events[0]?.seq ?? 0) + i));
    expect(JSON.stringify(events)).toContain("there.");
    const from = events[2]?.seq ?? Number.NaN;
    expect(await browser.eval("eval:events", { runId, fromSeq: from })).toEqual(events.slice(2));
    expect(await browser.eval("eval:chat", { content: "And?", conversationId })).toMatchObject({
      conversationId,
    });
    await expect.poll(() => browser.eval("eval:runs", { status: "done" })).toHaveLength(2);
    expect(llm.requests).toHaveLength(2);
    expect(await browser.eval("eval:runs", { kind: "no-such-kind" })).toEqual([]);
    await expect(browser.eval("eval:chat", { content: 5 })).rejects.toThrow();
    await expect(browser.eval("eval:events", {})).rejects.toMatchObject({ name: "TypeError" });
  });

  it("eval:policy takes the three answers; eval:tick tells which unfinished runs it took up", async () => {
    for (const confirm of ["ask", "allow", "deny"]) {
      expect(await browser.eval("eval:policy", { confirm, askUser: "yes" })).toEqual({});
    }
    await expect(browser.eval("eval:policy", { confirm: "maybe" })).rejects.toMatchObject({
      name: "TypeError",
    });
    expect(await browser.eval("eval:tick")).toEqual({ resumed: [] });
    await useModel();
    const gate = llm.gate("held");
    llm.scriptByState(() => ({ text: ["one ", "two"], gate: { gate, afterDeltas: 1 } }));
    const { runId } = await browser.eval<{ runId: string }>("eval:chat", { content: "Hi" });
    await gate.reached;
    await browser.killWorker();
    gate.release();
    expect(await browser.eval("eval:tick")).toEqual({ resumed: [runId] });
    await expect.poll(() => browser.eval("eval:runs", { status: "done" })).toHaveLength(1);
    expect(await browser.eval("eval:tick")).toEqual({ resumed: [] });
    await expect(browser.eval("eval:tick", { now: 0 })).rejects.toMatchObject({ name: "NotSupportedError" });
  });
});

describe("the others", () => {
  it.each([
    "addMcpServer",
    "installSkill",
    "startTask",
    "getTask",
    "waitTask",
    "startHomepage",
    "observe",
    "act",
    "noSuchMessage",
    "toString",
    "__proto__",
  ])("eval:%s is refused by name", async (name) => {
    expect(await raw({ type: `eval:${name}` })).toEqual({
      ok: false,
      error: { name: "NotSupportedError", message: expect.stringContaining(`eval:${name}`) },
    });
  });

  it("eval:tool runs a registered tool, and names what is none or is called wrongly", async () => {
    expect(
      await browser.eval("eval:tool", { name: "execute_script", args: { code: "return 6 * 7" } }),
    ).toEqual(expect.objectContaining({ result: 42 }));
    const refused = {
      no_such_tool: "NotFoundError",
      constructor: "NotFoundError",
      execute_script: "TypeError",
    };
    for (const [name, error] of Object.entries(refused)) {
      await expect(browser.eval("eval:tool", { name, args: {} }), name).rejects.toMatchObject({
        name: error,
      });
    }
  });

  it("what is no eval message is nobody's, and the worker goes on", async () => {
    for (const message of [null, 5, "eval:clear", { type: 7 }, { type: "evil:clear" }, ["eval:clear"]]) {
      expect((await raw(message).catch(() => undefined)) ?? "no answer").toBe("no answer");
    }
    expect(await browser.eval("eval:ready")).toMatchObject({ userScripts: true });
  });
});

describe("who may ask", () => {
  it("no web page, and no user-script world that still has the browser's messaging, whatever it sends", async () => {
    const page = await browser.newPage(`${pages.a}/plain`);
    expect(
      await page.evaluate((id) => {
        const { runtime } =
          (globalThis as { chrome?: { runtime?: { sendMessage(...args: unknown[]): unknown } } }).chrome ??
          {};
        return runtime ? runtime.sendMessage(id, { type: "eval:clear" }) : "no messaging";
      }, "nfdmkfdobdphdkifllfjkcjhilhmflcf"),
    ).toBe("no messaging");
    // No script matches, so nothing of ours has taken the messaging out of this world.
    const results = await browser.options.evaluate(async (url) => {
      const [tab] = await chrome.tabs.query({ url });
      const code = `(async () => {
        const answers = [];
        for (const message of [{ type: "eval:ready" }, { type: "eval:scripts" }, { type: "eval:clear" }])
          answers.push((await chrome.runtime.sendMessage(message).catch((error) => "rejected")) ?? "nothing");
        return answers;
      })()`;
      return Promise.all(
        ["w1", undefined].map(async (worldId) => {
          const [frame] = await chrome.userScripts.execute({
            target: { tabId: tab?.id ?? -1 },
            js: [{ code }],
            world: "USER_SCRIPT",
            ...(worldId ? { worldId } : {}),
          });
          return frame?.result;
        }),
      );
    }, `${pages.a}/plain`);
    for (const answers of results) {
      expect(answers).toHaveLength(3);
      for (const answer of answers as unknown[]) expect(["rejected", "nothing"]).toContain(answer);
    }
    await page.close();
  });
});
