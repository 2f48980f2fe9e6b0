import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { browserAlarms, onAlarm } from "@/platform/alarms";

type Alarm = { name: string; periodInMinutes?: number };

let alarms: Map<string, Alarm>;
let created: string[];
let listeners: Array<(alarm: Alarm) => void>;

beforeEach(() => {
  alarms = new Map();
  created = [];
  listeners = [];
  vi.stubGlobal("chrome", {
    alarms: {
      get: async (name: string) => alarms.get(name),
      create: async (name: string, rest: object) => {
        created.push(name);
        alarms.set(name, { name, ...rest });
      },
      clear: async (name: string) => alarms.delete(name),
      onAlarm: { addListener: (listener: (alarm: Alarm) => void) => listeners.push(listener) },
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

describe("alarms", () => {
  it("C082 starting the worker often does not begin an alarm's time again", async () => {
    for (let start = 0; start < 10; start += 1) await browserAlarms.keep("look", 1);
    expect(created).toEqual(["look"]);
  });

  it("are made anew when their period changed, and dropped", async () => {
    await browserAlarms.keep("look", 1);
    await browserAlarms.keep("look", 5);
    expect(alarms.get("look")?.periodInMinutes).toBe(5);
    await browserAlarms.drop("look");
    await browserAlarms.drop("look");
    expect(alarms.size).toBe(0);
  });

  it("call back those who asked for them, by name", () => {
    const heard = vi.fn();
    onAlarm("look", heard);
    for (const listener of listeners) {
      listener({ name: "other" });
      listener({ name: "look" });
    }
    expect(heard).toHaveBeenCalledTimes(1);
  });
});
