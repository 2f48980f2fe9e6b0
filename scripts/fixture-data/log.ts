import { callWorker, firstItem } from "../../tests/e2e/harness/rpc";
import type { Area } from "./stage";

/** An entry of the log, as one of our pages reports what it saw. */
export const logArea: Area = {
  name: "log",
  session: "first",
  async fill({ browser }) {
    await callWorker(browser.options, "log.report", {
      source: "page:options",
      during: "Showing the scripts",
      name: "TypeError",
      message: "Something that a page saw",
    });
    const rows = await firstItem<Array<{ message: string }>>(browser.options, "log.entries");
    return { log: rows.map(({ message }) => message) };
  },
};
