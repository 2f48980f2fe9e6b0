import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { everythingStored } from "../security/support/stored";
import { type LlmServer, startLlmServer } from "../servers/llm";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser, userscript } from "./harness/browser";
import { installProbe, probe } from "./harness/probe";
import { registered } from "./harness/registered";
import { sandboxFrames } from "./harness/sandbox";

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

describe("eval:clear", () => {
  it("leaves nothing of a background script that goes on writing meanwhile", async () => {
    const code = userscript(
      { name: "Writer", background: "", grant: ["GM_setValue"] },
      `let n = 0; setInterval(() => GM_setValue("n", ++n), 10);`,
    );
    for (let round = 1; round <= 3; round += 1) {
      const { uuid } = await browser.eval<{ uuid: string }>("eval:installScript", { code });
      const values = () => browser.eval<Record<string, unknown>>("eval:values", { uuid });
      await expect.poll(values, { timeout: 20_000 }).toHaveProperty("n");
      await browser.eval("eval:clear");
      await expect.poll(() => sandboxFrames(browser), { timeout: 20_000 }).toBe(0);
      expect(await values()).toEqual({});
    }
  });

  it("leaves nothing: tables, storage, registrations, menu, runs; and nothing that is still open brings something back", async () => {
    await useModel();
    llm.script([{ text: "Stored." }]);
    await browser.eval("eval:setSettings", { patch: { theme: "dark", blocklist: ["*://blocked.test/*"] } });
    const before = await everythingStored(browser.options);
    await installProbe(
      browser,
      "p",
      {
        grant: [
          ...VALUES,
          "GM_registerMenuCommand",
          "GM_addValueChangeListener",
          "GM.xmlHttpRequest",
          "CAT.agent.conversation",
        ],
      },
      `GM_registerMenuCommand("Mark", () => {}); GM_addValueChangeListener("k", () => {});
      const attempt = (promise) => promise.then(() => "done", (error) => error.name);`,
    );
    await installProbe(browser, "q", { grant: "none" });
    const page = await browser.newPage(`${pages.a}/plain`);
    await probe(
      page,
      "p",
      `await GM.setValue("k", "kept-value"); setTimeout(() => { throw new Error("logged") });`,
    );
    await probe(
      page,
      "p",
      `const conversation = await CAT.agent.conversation.create({}); await conversation.chat("kept-words");`,
    );
    const full = await everythingStored(browser.options);
    const sizeOf = (places: typeof full) => places.reduce((sum, { text }) => sum + text.length, 0);
    expect(sizeOf(full)).toBeGreaterThan(sizeOf(before));
    expect((await registered(browser)).length).toBeGreaterThan(2);

    expect(await browser.eval("eval:clear")).toEqual({});
    expect(await registered(browser)).toEqual([]);
    expect(await browser.eval("eval:scripts")).toEqual([]);
    expect(await browser.eval("eval:runs")).toEqual([]);
    expect(await browser.eval("eval:setSettings", { patch: {} })).toMatchObject({
      theme: "system",
      blocklist: [],
    });

    // The page is still there, with a script that is not: it can do nothing more.
    expect(
      await probe(
        page,
        "p",
        `return [await attempt(GM.setValue("k", "late")), await attempt(GM.xmlHttpRequest({ url: "/json" })), await attempt(CAT.agent.conversation.create({}))]`,
      ),
    ).toEqual(Array(3).fill("PermissionDeniedError"));
    await page.goto(`${pages.a}/page/next`);
    await page.close();
    for (const { place, text } of await everythingStored(browser.options)) {
      expect(text, place).not.toMatch(/kept-|"k"|late|dark|blocked|sk-secret|Mark/);
      if (place.startsWith("IndexedDB moggy/")) expect(text, place).toBe("[][]");
    }
    expect(await browser.options.evaluate(() => chrome.alarms.getAll())).toEqual([]);
  });

  it("the product works as before, also in the worker after the next", async () => {
    const setup = `setTimeout(() => { throw new Error("from the page's world") })`;
    const uuid = await installProbe(browser, "p", { grant: "none" }, setup);
    await browser.killWorker();
    const page = await browser.newPage(`${pages.a}/plain`);
    await expect
      .poll(
        async () =>
          (await browser.eval<Array<{ uuid: string; errors: unknown[] }>>("eval:scripts")).find(
            (s) => s.uuid === uuid,
          )?.errors.length,
      )
      .toBe(1);
    await page.close();
  });
});
