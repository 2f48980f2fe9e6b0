import { join } from "node:path";
import type { Page } from "playwright-core";
import { Stop } from "../lib/stop.mjs";
import { type Entry, Transcript } from "./transcript";

/** What the page tells whenever it changes; `state` is what the example script sets at its end. */
interface Report {
  entries: Entry[];
  state: string | null;
}

/** A turn that says nothing for so long is taken for dead. */
const SILENCE_LIMIT_MS = 60_000;

/**
 * Prints the conversation of the example script as it grows on the page.
 *
 * Call it before the page is opened. The promise in `ended` fulfils when the script says that the conversation has ended well, and rejects with a {@link Stop} when it failed, when
 * nothing new came for a minute or when the page was closed.
 */
export async function watchConversation(
  page: Page,
  print: (text: string) => void,
  silenceLimitMs = SILENCE_LIMIT_MS,
): Promise<{ ended: Promise<void> }> {
  const transcript = new Transcript();
  let onReport: (report: Report) => void = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    let silence = setTimeout(giveUp, silenceLimitMs);
    let started = false;
    function giveUp() {
      const seconds = Math.round(silenceLimitMs / 1000);
      reject(
        new Stop(
          started
            ? `Nothing new came for ${seconds} s, and the conversation has not ended.`
            : `The example script did not begin a conversation within ${seconds} s.`,
        ),
      );
    }
    page.on("close", () => {
      clearTimeout(silence);
      reject(new Stop("The page was closed before the conversation ended."));
    });
    onReport = ({ entries, state }) => {
      const text = transcript.update(entries);
      if (text !== "") {
        started = true;
        clearTimeout(silence);
        silence = setTimeout(giveUp, silenceLimitMs);
        print(text);
      }
      if (state === null) return;
      clearTimeout(silence);
      if (state === "done") resolve();
      else reject(new Stop(`The conversation failed: ${state.replace(/^error: /, "")}`));
    };
  });
  await page.exposeFunction("moggyReport", (report: Report) => onReport(report));
  await page.addInitScript({ path: join(import.meta.dirname, "observe.browser.js") });
  return { ended };
}
