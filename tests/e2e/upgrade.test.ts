import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fixtureModel } from "../../scripts/fixture-data/model";
import { unpack } from "../../scripts/fixture-data/pack";
import { SCHEMA_KEY, SCHEMA_VERSION } from "../../src/migrations/schema";
import { type LlmServer, startLlmServer } from "../servers/llm";
import { type PageServer, startPageServer } from "../servers/pages";
import { EXTENSION_ID, launchBrowser, type TestBrowser } from "./harness/browser";
import {
  expectConsents,
  expectConversations,
  expectFiles,
  expectLog,
  expectModels,
  expectRunning,
  expectScripts,
  expectSettings,
  expectUnfinishedEnded,
  type Fixture,
  fixtures,
  type Opened,
} from "./harness/stored";

/** How often the browser is killed in the first moments of an update: fewer than the attempts that a start makes by itself. */
const KILLS = 4;

let browser: TestBrowser | undefined;
let pages: PageServer;
let llm: LlmServer;

beforeAll(async () => {
  pages = await startPageServer();
  return () => pages.close();
});
afterEach(async () => {
  await browser?.close();
  browser = undefined;
  await llm?.close();
});

describe.each(fixtures())("data of $contents.milestone", ({ zip, contents }: Fixture) => {
  let profile: string;

  beforeEach(async () => {
    // Where the stored models look for it.
    llm = await startLlmServer({ port: contents.modelPort, script: fixtureModel(false) });
    profile = await mkdtemp(join(tmpdir(), "moggy-upgrade-"));
    await unpack(zip, profile);
  });

  async function open(): Promise<Opened> {
    browser = await launchBrowser({ profile, extension: process.env.MOGGY_BUILD });
    return { browser, pages, llm, contents };
  }

  async function expectStored(opened: Opened): Promise<void> {
    await expectSettings(opened);
    await expectScripts(opened);
    await expectRunning(opened);
    await expectModels(opened);
    await expectConversations(opened);
    await expectConsents(opened);
    await expectFiles(opened);
    await expectLog(opened);
  }

  it("is all there and works", async () => {
    const opened = await open();
    await expectStored(opened);
    await expectUnfinishedEnded(opened);
  });

  it(`is all there after the browser was killed ${KILLS} times while it was updated`, async () => {
    // Data of this very form needs no update; it must outlive the kills all the same.
    const due = !(await isUpdated(profile));
    let unfinished = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      browser = await launchBrowser({ profile, untilReady: false });
      // Each a little later, so that some meet the update itself.
      await browser.options.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), kill * 25);
      await browser.crash();
      browser = undefined;
      if (!(await isUpdated(profile))) unfinished += 1;
    }
    // Had the first start brought it to its end, the test would have shown nothing.
    if (due) expect(unfinished).toBeGreaterThan(0);
    const opened = await open();
    await expectStored(opened);
    const { [SCHEMA_KEY]: schema } = await opened.browser.options.evaluate(
      (key) => chrome.storage.local.get(key),
      SCHEMA_KEY,
    );
    expect(schema).toEqual({ version: SCHEMA_VERSION, writer: expect.any(String) });
  });
});

/** Whether the number of the data's new form, with nothing pending, is in the files of chrome.storage.local. */
async function isUpdated(profile: string): Promise<boolean> {
  const folder = join(profile, "Default", "Local Extension Settings", EXTENSION_ID);
  const logs = (await readdir(folder)).filter((name) => name.endsWith(".log"));
  const texts = await Promise.all(logs.map((name) => readFile(join(folder, name), "latin1")));
  return texts.some((text) => new RegExp(`{"version":${SCHEMA_VERSION},"writer":"[^"]*"}`).test(text));
}
