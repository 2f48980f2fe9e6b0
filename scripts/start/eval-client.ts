import type { BrowserContext, Page } from "playwright-core";
import { allowUserScriptsLive, extensionUrl } from "../lib/extension";
import { Stop } from "../lib/stop.mjs";

type Answer = { ok: true; data: unknown } | { ok: false; error: { name: string; message: string } };

const READY_TIMEOUT_MS = 30_000;

/** Drives an eval build from one of its own pages, by the `eval:*` messages. */
export class EvalClient {
  private constructor(private readonly page: Page) {}

  /**
   * Opens the extension's options page and waits until its services answer, with user scripts allowed.
   * @throws {Stop} when the extension does not come up
   */
  static async open(context: BrowserContext): Promise<EvalClient> {
    const page = await context.newPage();
    const client = new EvalClient(page);
    await client.whenReady();
    const { userScripts } = (await client.send("eval:ready")) as { userScripts: boolean };
    if (!userScripts) {
      await allowUserScriptsLive(page);
      await client.whenReady();
    }
    return client;
  }

  /**
   * Sends one message and gives back the `data` of its answer.
   * @throws {Stop} with the error of the answer
   */
  async send(type: string, params: Record<string, unknown> = {}): Promise<unknown> {
    const answer = (await this.page.evaluate((message) => chrome.runtime.sendMessage(message), {
      ...params,
      type,
    })) as Answer | undefined;
    if (!answer) throw new Stop(`The extension gave no answer to ${type}: this is not an eval build.`);
    if (!answer.ok) throw new Stop(`${type} failed: ${answer.error.name}: ${answer.error.message}`);
    return answer.data;
  }

  /** The page that the messages are sent from. */
  get optionsPage(): Page {
    return this.page;
  }

  /** A freshly loaded extension answers only once its worker has started, so the first tries may find nobody. */
  private async whenReady(): Promise<void> {
    const giveUp = Date.now() + READY_TIMEOUT_MS;
    for (;;) {
      try {
        await this.page.goto(extensionUrl("options.html"));
        await this.send("eval:ready");
        return;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (Date.now() > giveUp || this.page.isClosed()) {
          throw new Stop(`The extension did not come up within ${READY_TIMEOUT_MS / 1000} s: ${message}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }
}
