import { memorySession } from "@tests/fixtures/memory-session";
import { beforeEach, describe, expect, it } from "vitest";
import { type Attention, createAttention } from "@/attention/attention";
import type { BadgeLook } from "@/platform/badge";
import type { NotificationEvents, NotificationLook } from "@/platform/notifications";
import { DEFAULT_SETTINGS } from "@/settings/contract";

let badge: BadgeLook | undefined;
let shown: Map<string, NotificationLook>;
let events: NotificationEvents;
let opened: string[];
let reports: unknown[];
let language: "auto" | "en" | "zh-CN";
/** What a reading of the settings waits for. */
let slow: Promise<void> | undefined;
let attention: Attention;

beforeEach(() => {
  badge = undefined;
  shown = new Map();
  opened = [];
  reports = [];
  language = "auto";
  slow = undefined;
  attention = createAttention({
    notifications: {
      available: async () => true,
      show: async (id, look) => void shown.set(id, look),
      clear: async (id) => void shown.delete(id),
      listen: (on) => {
        events = on;
      },
    },
    badge: {
      show: async (look) => {
        badge = look;
      },
    },
    session: memorySession(),
    settings: async () => {
      await slow;
      return { ...DEFAULT_SETTINGS, language };
    },
    languages: () => ["en-GB", "zh-CN"],
    openPage: async (path) => void opened.push(path),
    openUrl: async (url) => void opened.push(url),
    report: (error) => reports.push(error),
  });
});

describe("what waits for the person", () => {
  it("questions come before errors on the button, in words", async () => {
    attention.errors(3);
    await expect
      .poll(() => badge)
      .toMatchObject({ text: "!", title: expect.stringContaining("not seen: 3") });
    attention.questions(2);
    await expect.poll(() => badge).toMatchObject({ text: "?", title: expect.stringContaining("answer: 2") });
    attention.questions(0);
    await expect.poll(() => badge?.text).toBe("!");
    attention.errors(0);
    await expect.poll(() => badge?.text).toBe("");
  });

  it("an unattended question notifies, in the person's language, and leads to the page of questions", async () => {
    language = "zh-CN";
    attention.unattended({ subjectName: "Price watch", host: "api.example.com" });
    await expect
      .poll(() => [...shown.values()][0])
      .toMatchObject({
        title: "“Price watch”请求您的许可",
        message: expect.stringContaining("api.example.com"),
        sticky: true,
      });
    // Another one takes its place: whoever asks much does not fill the screen.
    attention.unattended({ subjectName: "Other", host: "" });
    await expect.poll(() => [...shown.values()].map(({ title }) => title)).toEqual(["“Other”请求您的许可"]);
    events.clicked([...shown.keys()][0] ?? "");
    await expect.poll(() => opened).toEqual(["options.html#/consent"]);
  });

  it("what is said last is what is shown, however long the words for what came before take", async () => {
    let ready: () => void = () => undefined;
    slow = new Promise((resolve) => {
      ready = resolve;
    });
    attention.questions(1);
    attention.unattended({ subjectName: "Price watch", host: "a.example" });
    attention.questions(0);
    attention.errors(1);
    attention.errors(0);
    ready();
    // A later word has gone through the same order, so all that was said before is done.
    attention.questions(2);
    await expect.poll(() => badge?.text).toBe("?");
    expect(shown.size).toBe(0);
    attention.questions(0);
    await expect.poll(() => badge?.text).toBe("");
  });

  it("the notification goes when the last question does", async () => {
    attention.questions(1);
    attention.unattended({ subjectName: "{host}", host: "a.example" });
    await expect.poll(() => [...shown.values()][0]?.title).toBe("“{host}” asks for your permission");
    attention.questions(0);
    await expect.poll(() => shown.size).toBe(0);
    expect(reports).toEqual([]);
  });
});
