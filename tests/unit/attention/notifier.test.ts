import { memorySession } from "@tests/fixtures/memory-session";
import { beforeEach, describe, expect, it } from "vitest";
import { LONGEST_MESSAGE, LONGEST_TITLE, type NotificationInput, Notifier } from "@/attention/notifier";
import type { NotificationEvents, NotificationLook } from "@/platform/notifications";

let shown: Map<string, NotificationLook>;
let available: boolean;
let events: NotificationEvents;
let opened: string[];
let reports: string[];
let session = memorySession();
let notifier: Notifier;

function worker(): Notifier {
  return new Notifier({
    api: {
      available: async () => available,
      show: async (id, look) => {
        if (look.title === "refused") throw new Error("Unable to download all specified images.");
        // As the browser does: what is shown anew comes last.
        shown.delete(id);
        shown.set(id, look);
      },
      clear: async (id) => void shown.delete(id),
      listen: (on) => {
        events = on;
      },
    },
    session,
    openPage: async (path) => void opened.push(path),
    openUrl: async (url) => void opened.push(url),
    report: (error, during) => reports.push(`${during}: ${(error as Error).message}`),
  });
}

beforeEach(() => {
  shown = new Map();
  available = true;
  opened = [];
  reports = [];
  session = memorySession();
  notifier = worker();
});

const input = (patch: Partial<NotificationInput> = {}): NotificationInput => ({
  id: "moggy:test",
  title: "Title",
  message: "Message",
  kind: "info",
  open: { page: "options.html#/consent" },
  ...patch,
});

describe("notifications", () => {
  it("one with the same id takes the place of the one before, with what it leads to", async () => {
    expect(await notifier.notify(input())).toBe(true);
    await notifier.notify(input({ title: "Second", open: { page: "options.html#/log" } }));
    expect([...shown.values()].map(({ title }) => title)).toEqual(["Second"]);
    events.clicked("moggy:test");
    await expect.poll(() => opened).toEqual(["options.html#/log"]);
    expect(shown.size).toBe(0);
  });

  it("clicks and buttons work in a later worker", async () => {
    const buttons = [
      { label: "A", open: { page: "popup.html" } },
      { label: "B", open: { url: "https://example.com/" } },
      { label: "C", open: { page: "never" } },
    ];
    await notifier.notify(input({ buttons, kind: "question" }));
    expect(shown.get("moggy:test")).toMatchObject({ buttons: ["A", "B"], sticky: true });
    notifier = worker();
    events.clicked("moggy:test", 1);
    await expect.poll(() => opened).toEqual(["https://example.com/"]);
  });

  it("one that outlived the browser leads to our options", async () => {
    events.clicked("moggy:of-yesterday");
    await expect.poll(() => opened).toEqual(["options.html"]);
  });

  it("lead to no address that is not of the web", async () => {
    await notifier.notify(input({ open: { url: "javascript:alert(1)" } }));
    events.clicked("moggy:test");
    await expect.poll(() => reports).toEqual([expect.stringContaining("none of the web")]);
    expect(opened).toEqual([]);
  });

  it("are told to the log where the browser shows none or refuses one, and throw nothing", async () => {
    available = false;
    expect(await notifier.notify(input())).toBe(false);
    available = true;
    expect(await notifier.notify(input({ title: "refused" }))).toBe(false);
    expect(reports).toEqual([
      expect.stringMatching(/^Showing the notification “Title”: .*Allow them/),
      expect.stringContaining("Unable to download"),
    ]);
  });

  it("are forgotten when they are closed by the person or by us", async () => {
    await notifier.notify(input());
    events.closed("moggy:test");
    await expect.poll(() => session.get("notifications")).toEqual({});
    await notifier.notify(input());
    await notifier.close("moggy:test");
    expect(shown.size).toBe(0);
    expect(await session.get("notifications")).toEqual({});
  });

  it("have bounded texts, and a bounded number is remembered", async () => {
    await notifier.notify(input({ title: "t".repeat(5_000), message: "😀".repeat(5_000) }));
    const look = shown.get("moggy:test");
    expect(look?.title).toHaveLength(LONGEST_TITLE);
    expect(look?.message.length).toBeLessThanOrEqual(LONGEST_MESSAGE);
    expect(look?.message.isWellFormed()).toBe(true);
    for (let at = 0; at < 60; at += 1) await notifier.notify(input({ id: `moggy:${at}` }));
    expect(Object.keys((await session.get<object>("notifications")) ?? {})).toHaveLength(50);
  });
});
