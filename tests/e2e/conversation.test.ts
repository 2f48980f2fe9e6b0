import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { burst, type LlmServer, startLlmServer } from "../servers/llm";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser, userscript } from "./harness/browser";
import { AFTER_TOOL, BEFORE_TOOL, noteModel, talkingScript, textsOf, waitForEnd } from "./harness/talker";

let browser: TestBrowser;
let pages: PageServer;
let llm: LlmServer;

beforeAll(async () => {
  [browser, pages, llm] = await Promise.all([
    launchBrowser(),
    startPageServer(),
    startLlmServer({ apiKey: "key-1" }),
  ]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), pages?.close(), llm?.close()]);
});
beforeEach(async () => {
  await browser.eval("eval:clear");
  llm.reset();
});

const PROVIDERS = ["openai", "anthropic"] as const;

function useModel(provider: (typeof PROVIDERS)[number], patch: Record<string, unknown> = {}) {
  const apiBaseUrl = provider === "openai" ? llm.openaiBaseUrl : llm.anthropicV1BaseUrl;
  return browser.eval("eval:setModel", {
    provider,
    apiBaseUrl,
    apiKey: "key-1",
    model: "fake-model",
    ...patch,
  });
}

const installTalker = () =>
  browser.eval("eval:installScript", { code: talkingScript(`${llm.url}/effect/note`) });

describe.each(PROVIDERS)("a conversation with a tool of the script, over the %s wire", (provider) => {
  it("streams as it comes, runs the tool in the page, ends with usage", async () => {
    await useModel(provider);
    await installTalker();
    const gate = llm.gate("before-the-end");
    llm.scriptByState((request) => {
      const turn = noteModel(0)(request);
      return request.messages.some((m) => m.role === "tool")
        ? { ...turn, gate: { gate, afterDeltas: 3 } }
        : turn;
    });
    const page = await browser.newPage(`${pages.a}/plain`);
    // The server holds the rest of the answer back, and yet its beginning is on the page.
    await gate.reached;
    await page.waitForFunction(() => (document.documentElement.dataset.log ?? "").includes("The"));
    gate.release();
    const log = await waitForEnd(page);
    await page.close();

    expect(log.error).toBeUndefined();
    expect(textsOf(log)).toEqual([BEFORE_TOOL, AFTER_TOOL]);
    expect(log.toolRuns).toBe(1);
    expect(llm.effects.count("note")).toBe(1);
    const types = log.chunks.map((chunk) => chunk.type);
    expect(types.indexOf("tool_call")).toBeLessThan(types.indexOf("tool_call_complete"));
    expect(types.indexOf("tool_call_complete")).toBeLessThan(types.lastIndexOf("content_delta"));
    const done = log.chunks.at(-1);
    expect(done?.type).toBe("done");
    expect(done?.usage).toMatchObject({ inputTokens: 200, outputTokens: 40 });
    expect(log.messages?.map((m) => m.role)).toEqual(["user", "assistant", "tool", "assistant"]);
  });

  it("chat() resolves with text, tool calls and usage", async () => {
    await useModel(provider);
    await installTalker();
    llm.scriptByState(noteModel(0));
    const page = await browser.newPage(`${pages.a}/plain#chat`);
    const log = await waitForEnd(page);
    await page.close();
    expect(log.error).toBeUndefined();
    expect(log.reply?.content).toBe(AFTER_TOOL);
    expect(log.reply?.toolCalls).toMatchObject([
      { name: "write_note", result: expect.stringContaining("hello") },
    ]);
    expect(log.reply?.usage).toMatchObject({ inputTokens: 200, outputTokens: 40 });
  });

  it("delivers a burst of 2,000 deltas complete and in order", async () => {
    await useModel(provider);
    await installTalker();
    llm.script([burst(2000)]);
    const page = await browser.newPage(`${pages.a}/plain`);
    const log = await waitForEnd(page);
    await page.close();
    expect(textsOf(log)).toEqual([Array.from({ length: 2000 }, (_, i) => `${i} `).join("")]);
  });

  it("names a wrong key, with code auth and without the key in its words", async () => {
    await useModel(provider, { apiKey: "wrong-key-2" });
    await installTalker();
    llm.script([{ text: "never" }]);
    const page = await browser.newPage(`${pages.a}/plain#chat`);
    const log = await waitForEnd(page);
    await page.close();
    expect(log.error).toMatchObject({ code: "auth" });
    expect(JSON.stringify(log)).not.toContain("wrong-key-2");
  });

  it("tries again after a 500 and after a stream that breaks, and doubles nothing", async () => {
    await useModel(provider);
    await installTalker();
    llm.scriptByState((request) => ({
      ...noteModel(0)(request),
      fault: request.messages.some((m) => m.role === "tool")
        ? { dropAfterDeltas: 4, times: 1 }
        : { status: 500, times: 1 },
    }));
    const page = await browser.newPage(`${pages.a}/plain`);
    const log = await waitForEnd(page);
    await page.close();
    expect(log.error).toBeUndefined();
    expect(textsOf(log)).toEqual([BEFORE_TOOL, AFTER_TOOL]);
    expect(llm.effects.count("note")).toBe(1);
  });
});

describe("bad ends", () => {
  it("without a model: no_model, in words that say where to add one", async () => {
    await installTalker();
    const page = await browser.newPage(`${pages.a}/plain#chat`);
    const log = await waitForEnd(page);
    await page.close();
    expect(log.error).toMatchObject({ code: "no_model", message: expect.stringMatching(/model/i) });
  });

  it("an unreachable host: an error that names it, and the question is not lost", async () => {
    await useModel("openai", { apiBaseUrl: "http://127.0.0.1:9/v1" });
    await installTalker();
    const page = await browser.newPage(`${pages.a}/plain#chat`);
    const log = await waitForEnd(page, 100_000);
    await page.close();
    expect(log.error?.message).toContain("127.0.0.1:9");
    const [run] = await browser.eval<Array<{ id: string; status: string }>>("eval:runs");
    expect(run?.status).toBe("error");
    expect(JSON.stringify(await browser.eval("eval:events", { runId: run?.id }))).toContain("Write the note");
  });
});

describe("what a conversation keeps", () => {
  it("is found again by id after a reload, and only by its own script", async () => {
    await useModel("openai");
    llm.scriptByState(() => ({ text: "Nice to meet you." }));
    const code = (name: string) =>
      userscript(
        { name, match: "*://*/*", grant: "CAT.agent.conversation" },
        `(async () => {
          const known = await CAT.agent.conversation.get("mine");
          const conv = known ?? (${name === "Owner"} ? await CAT.agent.conversation.create({ id: "mine" }) : null);
          if (conv && !known) await conv.chat("My name is Ada.");
          document.documentElement.dataset.${name.toLowerCase()} = conv ? JSON.stringify((await conv.getMessages()).map((m) => m.content)) : "none";
        })();`,
      );
    await browser.eval("eval:installScript", { code: code("Owner") });
    const page = await browser.newPage(`${pages.a}/plain`);
    const own = () => page.evaluate(() => document.documentElement.dataset.owner);
    await expect.poll(own).toBe('["My name is Ada.","Nice to meet you."]');
    await browser.eval("eval:installScript", { code: code("Stranger") });
    await browser.killWorker();
    await page.reload();
    await expect.poll(own).toBe('["My name is Ada.","Nice to meet you."]');
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.stranger)).toBe("none");
    expect(llm.counters.chats).toBe(1);
    await page.close();
  });

  it("a script that is removed in mid-turn has its turn ended at once: nobody pays for what nobody reads", async () => {
    await useModel("openai");
    llm.script([{ text: "One two three four five six.", fault: { hangAfterDeltas: 3 } }]);
    const { uuid } = await browser.eval<{ uuid: string }>("eval:installScript", {
      code: talkingScript(`${llm.url}/effect/note`),
    });
    const page = await browser.newPage(`${pages.a}/plain`);
    await page.waitForFunction(() => (document.documentElement.dataset.log ?? "").includes("three"));
    await browser.eval("eval:removeScript", { uuid });
    await expect.poll(() => llm.counters.aborted).toBe(1);
    expect(await browser.eval<Array<{ status: string }>>("eval:runs")).toMatchObject([{ status: "stopped" }]);
    await page.close();
  });

  it("stop() ends the turn and keeps what came", async () => {
    await useModel("openai");
    llm.script([{ text: "One two three four five six.", fault: { hangAfterDeltas: 3 } }]);
    await browser.eval("eval:installScript", {
      code: userscript(
        { name: "Stopper", match: "*://*/*", grant: "CAT.agent.conversation" },
        `(async () => {
          const conv = await CAT.agent.conversation.create();
          const types = [];
          let text = "";
          for await (const chunk of await conv.chatStream("Count.")) {
            types.push(chunk.type);
            text += chunk.content ?? "";
            if (text.includes("three")) conv.stop();
          }
          const messages = await conv.getMessages();
          document.documentElement.dataset.log = JSON.stringify({ last: types.at(-1), kept: messages.at(-1).content });
        })();`,
      ),
    });
    const page = await browser.newPage(`${pages.a}/plain`);
    await expect
      .poll(() => page.evaluate(() => document.documentElement.dataset.log))
      .toContain("One two three");
    await expect.poll(() => llm.counters.aborted).toBe(1);
    await page.close();
  });
});
