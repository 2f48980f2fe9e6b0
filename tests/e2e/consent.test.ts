import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser } from "./harness/browser";
import {
  answerAbout,
  decisions,
  openQuestions,
  promptPage,
  promptPages,
  questionAbout,
} from "./harness/consent";
import { installProbe, probe, tellProbe } from "./harness/probe";
import { type Failure, FOLLOW } from "./harness/requests";
import { callWorker } from "./harness/rpc";

let browser: TestBrowser;
let pages: PageServer;
let page: Page;
let uuid: string;

beforeAll(async () => {
  [browser, pages] = await Promise.all([launchBrowser(), startPageServer()]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), pages?.close()]);
});
beforeEach(async () => {
  await browser.eval("eval:clear");
  pages.reset();
  const grant = ["GM_xmlhttpRequest", "GM.xmlHttpRequest"];
  uuid = await installProbe(browser, "asker", { grant }, SETUP());
  page = await browser.newPage(`${pages.a}/plain`);
  return async () => {
    await page.close();
    await Promise.all(promptPages(browser).map((window) => window.close()));
  };
});

/** `sent(details)` begins a request whose outcome `ended(n)` waits for: in between, the test answers. */
const SETUP = () => `${FOLLOW}
const other = ${JSON.stringify(pages.localhostA)};
const under = [];
const sent = (details) => { const request = GM.xmlHttpRequest(details); under.push(request); request.catch(() => undefined); return under.length - 1; };
const ended = (n) => under[n].then(({ status, responseText }) => ({ status, text: responseText.length }), (error) => ({ name: error.name, message: error.message }));`;

const run = <T>(code: string, name = "asker") => probe<T>(page, name, code);
const asked = (path: string) => pages.requests.filter((visit) => visit.path === path);
const json = () => `${pages.localhostA}/json`;
const send = (details: string) => run<number>(`return sent(${details})`);
const end = (n: number) =>
  run<{ status?: number; text?: number; name?: string; message?: string }>(`return ended(${n})`);

describe("a request to a host that no line covers", () => {
  it("asks in a window of its own; a click on a button there answers, and the window goes", async () => {
    const n = await send(`{ url: other + "/json?q=1" }`);
    const window = await promptPage(browser);
    await window.getByText("localhost", { exact: true }).first().waitFor();
    expect(await window.locator("body").innerText()).toContain("asker");
    expect(asked("/json")).toEqual([]);
    const allow = window.getByRole("button", { name: "Always allow" });
    await expect.poll(() => allow.getAttribute("aria-disabled")).not.toBe("true");
    await allow.click();
    expect(await end(n)).toMatchObject({ status: 200 });
    expect(asked("/json")).toHaveLength(1);
    await expect.poll(() => promptPages(browser), { timeout: 10_000 }).toEqual([]);
    expect(await decisions(browser.options)).toEqual([
      expect.objectContaining({
        subject: `script:${uuid}`,
        subjectName: "asker",
        effect: "connect-private",
        host: "localhost",
        decision: "always",
      }),
    ]);
    // From now on nobody is asked, in the next worker neither.
    await browser.killWorker();
    expect(await end(await send(`{ url: other + "/json" }`))).toMatchObject({ status: 200 });
    expect(promptPages(browser)).toEqual([]);
  });

  it("Allow once allows one, Never refuses all, and the script is told where it can be changed", async () => {
    const first = await send(`{ url: other + "/json" }`);
    await answerAbout(browser.options, "localhost", "once");
    expect(await end(first)).toMatchObject({ status: 200 });
    const second = await send(`{ url: other + "/json" }`);
    await answerAbout(browser.options, "localhost", "never");
    expect(await end(second)).toMatchObject({
      name: "PermissionDeniedError",
      message: expect.stringContaining("Consent page"),
    });
    const failed = await run<Failure>(`return failure(GM.xmlHttpRequest({ url: other + "/json" }))`);
    expect(failed).toMatchObject({ name: "PermissionDeniedError", code: "connect_denied" });
    expect(asked("/json")).toHaveLength(1);
    await callWorker(browser.options, "consent.revoke", {
      ids: (await decisions(browser.options)).map(({ id }) => id),
    });
    const third = await send(`{ url: other + "/json" }`);
    await answerAbout(browser.options, "localhost", "once");
    expect(await end(third)).toMatchObject({ status: 200 });
  });

  it("Allow for this page ends with the page", async () => {
    const first = await send(`{ url: other + "/json" }`);
    await answerAbout(browser.options, "localhost", "run");
    expect(await end(first)).toMatchObject({ status: 200 });
    expect(await end(await send(`{ url: other + "/json" }`))).toMatchObject({ status: 200 });
    expect(await decisions(browser.options)).toEqual([
      expect.objectContaining({ runId: expect.any(String) }),
    ]);
    await page.reload();
    const after = await send(`{ url: other + "/json" }`);
    await answerAbout(browser.options, "localhost", "deny");
    expect(await end(after)).toMatchObject({ name: "PermissionDeniedError" });
    expect(await decisions(browser.options)).toEqual([]);
  });

  it("several requests and two tabs share one question and its answer; once is for what the question says", async () => {
    const second = await browser.newPage(`${pages.a}/plain`);
    const mine = [await send(`{ url: other + "/json" }`), await send(`{ url: other + "/status/201" }`)];
    const post = await send(`{ url: other + "/echo", method: "POST", data: "pay" }`);
    const same = await probe<number>(second, "asker", `return sent({ url: other + "/json" })`);
    await questionAbout(browser.options, "localhost");
    expect(await openQuestions(browser.options)).toMatchObject([{ detail: `GET ${json()}` }]);
    await answerAbout(browser.options, "localhost", "once");
    expect((await end(mine[0] ?? 0)).status).toBe(200);
    expect(await probe(second, "asker", `return ended(${same})`)).toMatchObject({ status: 200 });
    await expect
      .poll(() => openQuestions(browser.options))
      .toMatchObject([{ detail: `GET ${pages.localhostA}/status/201`, state: "asking" }]);
    expect([asked("/status/201"), asked("/echo")]).toEqual([[], []]);
    await answerAbout(browser.options, "localhost", "run");
    expect([(await end(mine[1] ?? 0)).status, (await end(post)).status]).toEqual([201, 200]);
    expect(asked("/echo")).toHaveLength(1);
    await second.close();
  });

  it("a yes to a harmless request is none to another that took its place in the question", async () => {
    const first = await send(`{ url: other + "/json" }`);
    await questionAbout(browser.options, "localhost");
    const post = await send(`{ url: other + "/echo", method: "POST", data: "pay" }`);
    await run(`under[${first}].abort()`);
    await answerAbout(browser.options, "localhost", "once");
    await expect
      .poll(() => openQuestions(browser.options))
      .toMatchObject([{ detail: `POST ${pages.localhostA}/echo` }]);
    expect(asked("/echo")).toEqual([]);
    await answerAbout(browser.options, "localhost", "deny");
    expect(await end(post)).toMatchObject({ name: "PermissionDeniedError" });
  });

  it("this computer and public hosts are asked for apart, and each host by itself", async () => {
    await send(`{ url: other + "/json" }`);
    await send(`{ url: "http://elsewhere.example/x" }`);
    await send(`{ url: "http://api.elsewhere.example/x" }`);
    await questionAbout(browser.options, "api.elsewhere.example");
    expect((await openQuestions(browser.options)).map(({ effect, host }) => [effect, host])).toEqual([
      ["connect-private", "localhost"],
      ["connect", "elsewhere.example"],
      ["connect", "api.elsewhere.example"],
    ]);
  });

  it("a redirect to such a host asks before that host is", async () => {
    const to = `${pages.a}/redirect?to=${encodeURIComponent(json())}`;
    const yes = await send(`{ url: "${to}" }`);
    const prompt = await questionAbout(browser.options, "localhost");
    expect(prompt.detail).toBe(`GET ${json()}`);
    expect([asked("/redirect").length, asked("/json").length]).toEqual([1, 0]);
    await answerAbout(browser.options, "localhost", "once");
    expect(await end(yes)).toMatchObject({ status: 200 });
    const refused = await send(`{ url: "${to}" }`);
    await answerAbout(browser.options, "localhost", "deny");
    expect(await end(refused)).toMatchObject({ name: "PermissionDeniedError" });
    expect(asked("/json")).toHaveLength(1);
  });
});

describe("a question", () => {
  it("survives the worker's death, and its request is sent once", async () => {
    const n = await send(`{ url: other + "/echo", method: "POST", data: new Blob(["body"]) }`);
    const before = await questionAbout(browser.options, "localhost");
    await promptPage(browser);
    for (let i = 0; i < 3; i += 1) expect(await browser.killWorker()).toBe(true);
    expect(await questionAbout(browser.options, "localhost")).toEqual(before);
    expect(promptPages(browser)).toHaveLength(1);
    await browser.killWorker();
    await answerAbout(browser.options, "localhost", "once");
    expect(await end(n)).toMatchObject({ status: 200 });
    expect(asked("/echo")).toHaveLength(1);
    expect(await openQuestions(browser.options)).toEqual([]);
  });

  it("that nobody answers rests, the script is told, and a later answer counts from then on", async () => {
    // The shortest that the settings offer.
    await browser.eval("eval:setSettings", { patch: { consentWaitSeconds: 30 } });
    const n = await send(`{ url: other + "/json", timeout: 1000 }`);
    await questionAbout(browser.options, "localhost");
    await browser.killWorker();
    expect(await end(n)).toMatchObject({
      name: "ConsentWaitingError",
      message: expect.stringContaining("try again"),
    });
    const { id } = await questionAbout(browser.options, "localhost", "waiting");
    await callWorker(browser.options, "consent.answer", { id, answer: "always" });
    expect(await openQuestions(browser.options)).toEqual([]);
    expect(await end(await send(`{ url: other + "/json" }`))).toMatchObject({ status: 200 });
    expect(asked("/json")).toHaveLength(1);
  });

  it("goes when its tab is closed or its request aborted, and when the script is switched off or removed", async () => {
    const gone = () => expect.poll(() => openQuestions(browser.options)).toEqual([]);
    const closing = await browser.newPage(`${pages.a}/plain`);
    await tellProbe(closing, "asker", `sent({ url: other + "/json" })`);
    await questionAbout(browser.options, "localhost");
    await closing.close();
    await gone();
    const n = await send(`{ url: other + "/json" }`);
    await questionAbout(browser.options, "localhost");
    await run(`under[${n}].abort()`);
    await gone();
    const off = await send(`{ url: other + "/json" }`);
    await questionAbout(browser.options, "localhost");
    await callWorker(browser.options, "scripts.setEnabled", { uuid, enabled: false });
    expect(await end(off)).toMatchObject({ name: "PermissionDeniedError" });
    await gone();
    expect(asked("/json")).toEqual([]);
  });

  it("is not put in a window while the options are in front of the person, and is once they are left", async () => {
    await browser.options.bringToFront();
    const n = await send(`{ url: other + "/json" }`);
    await questionAbout(browser.options, "localhost");
    await browser.options.getByRole("button", { name: "Allow once" }).waitFor();
    expect(promptPages(browser)).toEqual([]);
    await page.bringToFront();
    await promptPage(browser);
    await answerAbout(browser.options, "localhost", "once");
    expect(await end(n)).toMatchObject({ status: 200 });
  });

  it("is answered not now by closing its window", async () => {
    const n = await send(`{ url: other + "/json" }`);
    const window = await promptPage(browser);
    const allow = window.getByRole("button", { name: "Allow once" });
    await expect.poll(() => allow.getAttribute("aria-disabled")).not.toBe("true");
    await window.close();
    expect(await end(n)).toMatchObject({ name: "PermissionDeniedError" });
    expect(await openQuestions(browser.options)).toEqual([]);
    expect(await decisions(browser.options)).toEqual([]);
  });
});

describe("revoking", () => {
  it("ends a 50 MB answer that is under way, by name, in the script and at the server", async () => {
    const n = await send(`{ url: other + "/large?mb=50&pauseMs=20", responseType: "blob" }`);
    await answerAbout(browser.options, "localhost", "always");
    await expect.poll(() => asked("/large")).toHaveLength(1);
    const [entry] = await decisions(browser.options);
    await callWorker(browser.options, "consent.revoke", { ids: [entry?.id] });
    expect(await end(n)).toMatchObject({
      name: "PermissionDeniedError",
      message: expect.stringContaining("taken back"),
    });
    await expect.poll(() => asked("/large").map((visit) => visit.cut)).toEqual([true]);
    await callWorker(browser.options, "consent.restore", {
      entries: [{ id: entry?.id, decision: "always" }],
    });
    expect(await end(await send(`{ url: other + "/json" }`))).toMatchObject({ status: 200 });
  });

  it("a script that is removed and restored finds its decisions again", async () => {
    const n = await send(`{ url: other + "/json" }`);
    await answerAbout(browser.options, "localhost", "always");
    await end(n);
    await browser.eval("eval:removeScript", { uuid });
    expect(await decisions(browser.options)).toHaveLength(1);
    await callWorker(browser.options, "scripts.restore", { uuid });
    await page.reload();
    expect(await end(await send(`{ url: other + "/json" }`))).toMatchObject({ status: 200 });
  });
});

describe("eval:policy", () => {
  it("answers in the person's place, outlives the worker, is no decision, and asks again when told to", async () => {
    const outcome = async () => end(await send(`{ url: other + "/json" }`));
    await browser.eval("eval:policy", { confirm: "allow" });
    await browser.killWorker();
    expect(await outcome()).toMatchObject({ status: 200 });
    await browser.eval("eval:policy", { confirm: "deny" });
    expect(await outcome()).toMatchObject({ name: "PermissionDeniedError" });
    expect(await decisions(browser.options)).toEqual([]);
    await browser.eval("eval:policy", { confirm: "ask" });
    await send(`{ url: other + "/json" }`);
    await questionAbout(browser.options, "localhost");
  });
});
