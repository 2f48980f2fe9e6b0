import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { FixtureContents } from "../../../scripts/fixture-data/contents";
import { KEEPER } from "../../../scripts/fixture-data/keeper";
import { HELD_ANSWER, HOLD } from "../../../scripts/fixture-data/model";
import { READ_VALUES } from "../../../scripts/fixture-data/values";
import type { LlmServer } from "../../servers/llm";
import type { PageServer } from "../../servers/pages";
import type { TestBrowser } from "./browser";
import { tabOf } from "./popup";
import { probe, probeReady } from "./probe";
import { callWorker, firstItem } from "./rpc";

const FOLDER = join(import.meta.dirname, "../../fixtures/data");

/** A fixture of stored data: where it is packed, and what must be found in it. */
export interface Fixture {
  zip: string;
  contents: FixtureContents;
}

/** All fixtures, oldest first. */
export function fixtures(): Fixture[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(".zip"))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    .map((name) => ({
      zip: join(FOLDER, name),
      contents: JSON.parse(
        readFileSync(join(FOLDER, name.replace(/zip$/, "json")), "utf8"),
      ) as FixtureContents,
    }));
}

/** A browser that was started on the data, with what the checks need around it. */
export interface Opened {
  browser: TestBrowser;
  pages: PageServer;
  llm: LlmServer;
  contents: FixtureContents;
}

/** The settings are as they were, paused among them; then the scripts are let run, for what comes after. */
export async function expectSettings({ browser, contents }: Opened): Promise<void> {
  expect(await callWorker(browser.options, "settings.get")).toMatchObject(contents.settings);
  await callWorker(browser.options, "settings.set", { paused: false });
}

interface Listed {
  uuid: string;
  name: string;
  enabled: boolean;
  world: string;
}

/** Scripts, their order, code and logs; the one in the bin can be brought back with its values. */
export async function expectScripts({ browser, contents }: Opened): Promise<void> {
  const call = <T>(method: string, input?: unknown) => callWorker<T>(browser.options, method, input);
  const there = contents.scripts.filter(({ removed }) => !removed);
  const listed = await call<Listed[]>("scripts.list");
  expect(listed.map(({ name }) => name)).toEqual(contents.order);
  for (const { uuid, name, enabled, world, code, errors } of there) {
    expect(listed.find((one) => one.uuid === uuid)).toMatchObject({ name, enabled, world });
    const { code: text } = await call<{ code: string }>("scripts.get", { uuid });
    expect(createHash("sha256").update(text).digest("hex"), name).toBe(code);
    const log = await call<Array<{ message: string }>>("scripts.errors", { uuid });
    expect(
      log.map(({ message }) => message),
      name,
    ).toEqual(errors);
  }
  for (const [uuid, values] of Object.entries(contents.otherValues))
    expect(await browser.eval("eval:values", { uuid })).toEqual(values);
  for (const { uuid, name } of contents.scripts.filter(({ removed }) => removed)) {
    await call("scripts.restore", { uuid });
    expect((await call<Listed[]>("scripts.list")).map((one) => one.name)).toContain(name);
    expect(await browser.eval("eval:values", { uuid })).toEqual(contents.otherValues[uuid]);
    await call("scripts.remove", { uuid });
  }
}

/** The scripts run where they should and nowhere else, with the values that they had; the menu has their commands. */
export async function expectRunning({ browser, pages, contents }: Opened): Promise<void> {
  const page = await browser.newPage(`${pages.a}/plain`);
  await probeReady(page, KEEPER);
  const marks = () => page.evaluate(() => ({ ...document.documentElement.dataset }));
  await expect
    .poll(marks)
    .toMatchObject({ painter: "painted", pageHelper: "helped", dictionary: "gefunden: 词" });
  // One is switched off, the other was moved away from here.
  expect(await marks()).not.toHaveProperty("sleeping");
  expect(await marks()).not.toHaveProperty("moved");
  expect(await probe(page, KEEPER, READ_VALUES)).toEqual(contents.values);
  const key = Object.keys(contents.values)[0] ?? "";
  expect(await probe(page, KEEPER, `return show(GM_getValue(${JSON.stringify(key)}))`)).toBe(
    contents.values[key],
  );

  const painter = contents.scripts.find(({ name }) => name === "Painter")?.uuid ?? "";
  const painted = Number(contents.otherValues[painter]?.painted);
  await expect.poll(() => browser.eval("eval:values", { uuid: painter })).toEqual({ painted: painted + 1 });

  const { id: tabId } = await tabOf(browser, page);
  const titles = async () =>
    (
      await callWorker<{ commands: Array<{ title: string }> }>(browser.options, "scripts.forTab", { tabId })
    ).commands.map(({ title }) => title);
  await expect.poll(titles).toEqual(contents.commands);
  await page.goto(`${pages.a}/page/moved/1`);
  await page.locator(":root[data-moved]").waitFor({ state: "attached" });
  await page.close();
}

/** The model configs are there, and the keys that are sent are the ones that were entered. */
export async function expectModels({ browser, llm, contents }: Opened): Promise<void> {
  const views = await callWorker<Array<Record<string, unknown>>>(browser.options, "agent.models.list");
  expect(views).toHaveLength(contents.models.length);
  for (const { apiKey, ...fact } of contents.models) {
    const view = views.find(({ id }) => id === fact.id);
    expect(view).toMatchObject({ ...fact, hasKey: true });
    const before = llm.requests.length;
    const { id, name, provider, apiBaseUrl, model } = fact;
    const tested = await callWorker<{ ok: boolean }>(browser.options, "agent.models.test", {
      id,
      name,
      provider,
      apiBaseUrl,
      model,
    });
    expect(tested, name).toMatchObject({ ok: true });
    const { headers = {} } = llm.requests[before] ?? {};
    expect(headers.authorization ?? headers["x-api-key"], name).toBe(
      provider === "anthropic" ? apiKey : `Bearer ${apiKey}`,
    );
  }
}

/** Conversations read as they did, and can go on. */
export async function expectConversations({ browser, pages, contents }: Opened): Promise<void> {
  const page = await browser.newPage(`${pages.a}/plain`);
  for (const conversation of contents.conversations) {
    const id = JSON.stringify(conversation.id);
    expect(await probe(page, KEEPER, `return read(${id})`)).toEqual(conversation);
  }
  const [first] = contents.conversations;
  if (!first) throw new Error("The fixture has no conversation.");
  const reply = await probe(
    page,
    KEEPER,
    `return (await (await open(${JSON.stringify(first.id)})).chat("Are you still there?")).content`,
  );
  expect(reply).toBe("You said: Are you still there?");
  const after = await probe<{ messages: unknown[] }>(
    page,
    KEEPER,
    `return read(${JSON.stringify(first.id)})`,
  );
  expect(after.messages.slice(0, first.messages.length)).toEqual(first.messages);
  expect(after.messages).toHaveLength(first.messages.length + 2);
  await page.close();
}

/** Runs that were cut off: those of the background come to their end, the others are stopped, for their page is gone. */
export async function expectUnfinishedEnded({ browser, pages, contents }: Opened): Promise<void> {
  const statuses = async () => {
    const runs = await browser.eval<Array<{ id: string; status: string }>>("eval:runs");
    return Object.fromEntries(
      contents.unfinished.map(({ runId }) => [runId, runs.find(({ id }) => id === runId)?.status]),
    );
  };
  const wanted = Object.fromEntries(contents.unfinished.map(({ runId, ends }) => [runId, ends]));
  // A page that is gone is waited for for 30 s.
  await expect.poll(statuses, { timeout: 60_000, interval: 500 }).toEqual(wanted);
  const page = await browser.newPage(`${pages.a}/plain`);
  for (const { conversationId } of contents.unfinished.filter(({ ends }) => ends === "done")) {
    const read = `return read(${JSON.stringify(conversationId)})`;
    const { messages } = await probe<{ messages: Array<{ content: unknown }> }>(page, KEEPER, read);
    expect(messages.map(({ content }) => content)).toEqual([HOLD, HELD_ANSWER]);
  }
  await page.close();
}

/** What a person decided holds, and nobody is asked again. */
export async function expectConsents({ browser, pages, contents }: Opened): Promise<void> {
  const page = await browser.newPage(`${pages.a}/plain`);
  for (const { host, decision, answer } of contents.consents ?? []) {
    const entries = await firstItem<Array<{ host: string; decision: string; subjectName: string }>>(
      browser.options,
      "consent.decisions",
    );
    expect(entries.find((entry) => entry.host === host)).toMatchObject({ decision, subjectName: KEEPER });
    expect(await probe(page, KEEPER, `return ask(${JSON.stringify(host)})`)).toBe(answer);
  }
  await page.close();
}

/** The files of the workspace have what was in them. */
export async function expectFiles({ browser, pages, contents }: Opened): Promise<void> {
  const page = await browser.newPage(`${pages.a}/plain`);
  for (const { path, length, start } of contents.files ?? []) {
    const content = await probe<string>(
      page,
      KEEPER,
      `return (await CAT.agent.opfs.read(${JSON.stringify(path)}, "text")).content`,
    );
    expect([content.length, content.slice(0, start.length)], path).toEqual([length, start]);
  }
  await page.close();
}

/** The log of errors has what was in it. */
export async function expectLog({ browser, contents }: Opened): Promise<void> {
  const rows = await firstItem<Array<{ message: string }>>(browser.options, "log.entries");
  expect(rows.map(({ message }) => message)).toEqual(expect.arrayContaining(contents.log ?? []));
}
