import type { Worker } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { extensionUrl, launchBrowser, type TestBrowser, userscript } from "../e2e/harness/browser";
import { type LlmServer, startLlmServer } from "../servers/llm";
import { type PageServer, startPageServer } from "../servers/pages";
import { callAsPage } from "./support/own-page-rpc";
import { install, REPORT, reportOf } from "./support/reports";
import { everythingStored } from "./support/stored";

/** No other text anywhere has any part of it that is looked for. */
const CANARY = "sk-canary-4Zq8Jw2Lx7Rv1Tn6";
/** What may show: the last four characters, to tell keys apart. */
const HINT = CANARY.slice(-4);
/** Any twelve characters of it, so that a cut or masked key is found as well. */
const PIECES = Array.from({ length: CANARY.length - 12 + 1 }, (_, at) => CANARY.slice(at, at + 12));
const holds = (text: string) =>
  PIECES.some(
    (piece) => text.includes(piece) || text.includes(btoa(piece)) || text.includes(encodeURIComponent(piece)),
  );

let browser: TestBrowser;
let pages: PageServer;
let llm: LlmServer;
/** All that the service worker and the pages wrote to their consoles. */
const consoleLines: string[] = [];

beforeAll(async () => {
  [browser, pages, llm] = await Promise.all([
    launchBrowser(),
    startPageServer(),
    startLlmServer({ apiKey: CANARY, echoWrongKey: true }),
  ]);
  browser.context.on("console", (message) => consoleLines.push(message.text()));
  const hear = (worker: Worker) => worker.on("console", (message) => consoleLines.push(message.text()));
  browser.context.serviceWorkers().forEach(hear);
  browser.context.on("serviceworker", hear);
  browser.context.on("weberror", (error) => consoleLines.push(String(error.error().stack)));
});
afterAll(async () => {
  await Promise.all([browser?.close(), pages?.close(), llm?.close()]);
});
beforeEach(async () => {
  await browser.eval("eval:clear");
  llm.reset();
});

async function setModel(provider: "openai" | "anthropic", apiKey = CANARY): Promise<string> {
  const apiBaseUrl = provider === "openai" ? llm.openaiBaseUrl : llm.anthropicV1BaseUrl;
  const model = { provider, apiBaseUrl, apiKey, model: "fake", name: "Canary" };
  return (await browser.eval<{ id: string }>("eval:setModel", model)).id;
}

/** Lets the model answer once; the journal's events, whatever the outcome. */
async function chat(): Promise<{ status: string; events: unknown }> {
  const { runId } = await browser.eval<{ runId: string }>("eval:chat", { content: "hello" });
  type Run = { id: string; status: string; error?: string };
  const run = async () => (await browser.eval<Run[]>("eval:runs")).find(({ id }) => id === runId);
  await expect.poll(async () => (await run())?.status, { timeout: 30_000 }).not.toBe("running");
  return { status: (await run())?.status ?? "", events: await browser.eval("eval:events", { runId }) };
}

async function expectNotStored(): Promise<void> {
  const places = await everythingStored(browser.options);
  expect(places.map(({ place }) => place)).toEqual(
    expect.arrayContaining(["IndexedDB moggy/events", "IndexedDB moggy-keys/keys", "chrome.storage.local"]),
  );
  expect(places.filter(({ text }) => holds(text)).map(({ place }) => place)).toEqual([]);
}

describe.each(["openai", "anthropic"] as const)("the key of a model (%s)", (provider) => {
  it("reaches the model's host, and is stored nowhere, told by no answer and in no event", async () => {
    llm.script([{ text: "An answer." }]);
    const id = await setModel(provider);
    const { status, events } = await chat();
    expect(status).toBe("done");
    const [request] = llm.requests;
    expect(`${request?.headers.authorization} ${request?.headers["x-api-key"]}`).toContain(CANARY);
    expect(holds(JSON.stringify(request?.body))).toBe(false);
    expect(holds(request?.path ?? "")).toBe(false);
    expect(holds(JSON.stringify(events))).toBe(false);
    await expectNotStored();
    // As our own pages see the configs, their test and their list.
    const form = {
      id,
      name: "Canary",
      provider: provider === "openai" ? "openai-compatible" : provider,
      model: "fake",
    };
    const url = provider === "openai" ? llm.openaiBaseUrl : llm.anthropicV1BaseUrl;
    llm.script([{ text: "Hi." }]);
    for (const method of ["list", "test", "listRemote", "save"]) {
      const answer = await callAsPage(browser.options, `agent.models.${method}`, {
        ...form,
        apiBaseUrl: url,
      });
      expect([method, answer.t, holds(JSON.stringify(answer))]).toEqual([method, "ok", false]);
    }
    await expectNotStored();
  });

  it("is in no error, not even when the host says it back", async () => {
    const wrong = `${CANARY.slice(0, -4)}XXXX`;
    await setModel(provider, wrong);
    const { status, events } = await chat();
    expect(status).toBe("error");
    expect(holds(JSON.stringify(events))).toBe(false);
    expect(holds(JSON.stringify(await browser.eval("eval:runs")))).toBe(false);
    const url = provider === "openai" ? llm.openaiBaseUrl : llm.anthropicV1BaseUrl;
    const form = {
      name: "Typed",
      provider: provider === "openai" ? "openai-compatible" : provider,
      model: "fake",
    };
    for (const method of ["test", "listRemote", "save"]) {
      const input = { ...form, apiBaseUrl: url, apiKey: wrong };
      const answer = await callAsPage(browser.options, `agent.models.${method}`, input);
      expect([method, holds(JSON.stringify(answer))]).toEqual([method, false]);
    }
    // Input that is refused, and a host that is not there.
    for (const input of [
      { ...form, apiBaseUrl: `not a url ${CANARY}`, apiKey: CANARY },
      { ...form, apiBaseUrl: "http://127.0.0.1:9", apiKey: CANARY },
      { ...form, apiBaseUrl: url, apiKey: { key: CANARY } },
    ]) {
      const answer = await callAsPage(browser.options, "agent.models.test", input);
      if (!String(input.apiBaseUrl).includes(CANARY)) expect(holds(JSON.stringify(answer))).toBe(false);
    }
    await expectNotStored();
  });
});

describe("the key of a model", () => {
  it("is not in the pages: neither in what they show nor in their fields", async () => {
    const id = await setModel("openai");
    for (const path of [
      "options.html",
      `options.html#/models`,
      `options.html#/models/${id}`,
      "popup.html",
      "install.html",
    ]) {
      const page = await browser.newPage(extensionUrl(path));
      await page.locator("h1, h2, button").first().waitFor();
      const seen = await page.evaluate(() => {
        const fields = [...document.querySelectorAll("input, textarea")].map(
          (field) => (field as HTMLInputElement).value,
        );
        return (
          document.documentElement.outerHTML + JSON.stringify(fields) + JSON.stringify({ ...sessionStorage })
        );
      });
      expect([path, holds(seen)]).toEqual([path, false]);
      await page.close();
    }
  });

  it("is not in what scripts see of models, nor in the errors of their conversations", async () => {
    await setModel("openai", `${CANARY.slice(0, -4)}YYYY`);
    await install(
      browser,
      userscript(
        { name: "Asking", match: `${pages.a}/*`, grant: ["CAT.agent.model", "CAT.agent.conversation"] },
        `${REPORT}
(async () => {
  const seen = [await CAT.agent.model.list(), await CAT.agent.model.getDefault()];
  seen.push(await CAT.agent.model.get(seen[1]));
  const conversation = await CAT.agent.conversation.create();
  try {
    await conversation.chat("hello");
  } catch (error) {
    seen.push(error.name, error.message, error.stack, JSON.stringify(error), error.code);
  }
  for await (const chunk of await conversation.chatStream("again")) seen.push(chunk);
  seen.push(await conversation.getMessages());
  report("seen", seen);
})().catch((error) => report("seen", [String(error)]));`,
      ),
    );
    const page = await browser.newPage(`${pages.a}/plain`);
    const seen = JSON.stringify(await reportOf(page, "seen", 60_000));
    expect(seen).toContain("auth");
    expect(holds(seen)).toBe(false);
    await page.close();
    await expectNotStored();
  });

  it("stays readable to the worker alone after its death, and is gone from storage when the config is", async () => {
    llm.script([{ text: "After." }]);
    const id = await setModel("openai");
    await browser.killWorker();
    expect((await chat()).status).toBe("done");
    expect(llm.requests[0]?.headers.authorization).toContain(CANARY);
    const sealed = async () => {
      const found = (await everythingStored(browser.options)).find(
        ({ place }) => place === "chrome.storage.local",
      );
      return /"data":"[^"]+","iv":"[^"]+"/.test(found?.text ?? "");
    };
    expect(await sealed()).toBe(true);
    expect((await callAsPage(browser.options, "agent.models.remove", { id })).t).toBe("ok");
    expect(await sealed()).toBe(false);
  });

  it("is encrypted by a key that cannot be taken out", async () => {
    await setModel("openai");
    const places = await everythingStored(browser.options);
    const keys = places.find(({ place }) => place === "IndexedDB moggy-keys/keys");
    expect(keys?.text).toContain("a key, extractable: false");
    // A hint tells keys apart; with a short key it would be the key.
    const answer = await callAsPage(browser.options, "agent.models.list");
    expect(JSON.stringify(answer)).toContain(`"keyHint":"${HINT}"`);
  });

  it("was in no console line of worker and pages during all of this", async () => {
    // Both are heard.
    await browser.options.evaluate(() => console.info("a line of the page"));
    await browser.context.serviceWorkers()[0]?.evaluate(() => console.info("a line of the worker"));
    await expect
      .poll(() => consoleLines)
      .toEqual(expect.arrayContaining(["a line of the page", "a line of the worker"]));
    expect(consoleLines.filter(holds)).toEqual([]);
  });
});
