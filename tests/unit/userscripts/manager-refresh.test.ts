import { memorySession } from "@tests/fixtures/memory-session";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { MoggyDatabase } from "@/platform/db";
import { DEFAULT_SETTINGS } from "@/settings/contract";
import { ScriptManager } from "@/userscripts/manager";
import { ScriptRegistry } from "@/userscripts/registry";

/** What one look at the registrations takes here; a refresh may then come again after nine times that. */
const COST_MS = 10;

let looks: number[];
let on: boolean;
let manager: ScriptManager;

beforeEach(async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  looks = [];
  on = true;
  const registry = new ScriptRegistry({} as MoggyDatabase, Date.now);
  registry.list = async () => [];
  manager = new ScriptManager({
    api: {
      async available() {
        looks.push(Date.now() - 1_000_000);
        await new Promise((resolve) => setTimeout(resolve, COST_MS));
        return on;
      },
      registeredIds: async () => [],
      register: async () => undefined,
      update: async () => undefined,
      unregister: async () => undefined,
      configureWorld: async () => undefined,
      execute: async () => true,
    },
    session: memorySession(),
    registry,
    settings: async () => DEFAULT_SETTINGS,
    values: async () => ({ entries: {}, revision: 0 }),
    pageParts: async () => ({
      runtimes: {},
      tester: "",
      pageAnnounce: "",
      pagePrelude: "",
      relay: "",
      relayToken: "",
    }),
    product: {
      version: "0",
      platform: async () => ({ os: "", arch: "", browserName: "", browserVersion: "" }),
    },
    report: (during, error) => {
      throw new Error(`${during} failed`, { cause: error });
    },
    watchNavigations: () => undefined,
    now: Date.now,
  });
});
afterEach(() => vi.useRealTimers());

it("the first change refreshes at once, those after it when a tenth of the time allows it", async () => {
  manager.valuesChanged();
  await vi.advanceTimersByTimeAsync(COST_MS + 1);
  expect(looks).toEqual([0]);
  manager.valuesChanged();
  manager.valuesChanged();
  await vi.advanceTimersByTimeAsync(COST_MS * 9 - 2);
  expect(looks).toEqual([0]);
  await vi.advanceTimersByTimeAsync(COST_MS + 2);
  expect(looks).toEqual([0, COST_MS * 10]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(looks).toHaveLength(2);
});

it("a change that comes right after a navigation began does not wait, the one after it does", async () => {
  manager.valuesChanged();
  await vi.advanceTimersByTimeAsync(COST_MS + 1);
  await manager.flush();
  expect(looks).toHaveLength(1);
  // The script wrote, then reloaded: the write comes in after the navigation.
  manager.valuesChanged();
  await vi.advanceTimersByTimeAsync(COST_MS + 1);
  expect(looks).toHaveLength(2);
  manager.valuesChanged();
  await vi.advanceTimersByTimeAsync(COST_MS);
  expect(looks).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(COST_MS * 9);
  expect(looks).toHaveLength(3);
});

it("long after a navigation began, changes wait again", async () => {
  manager.valuesChanged();
  await vi.advanceTimersByTimeAsync(COST_MS + 1);
  await manager.flush();
  await vi.advanceTimersByTimeAsync(5_000);
  const reconciling = manager.reconcile();
  await vi.advanceTimersByTimeAsync(COST_MS);
  await reconciling;
  manager.valuesChanged();
  await vi.advanceTimersByTimeAsync(COST_MS);
  expect(looks).toHaveLength(2);
});

it("a navigation looks again while the browser's switch is off, and only then", async () => {
  on = false;
  const look = async (call: () => Promise<unknown>) => {
    const done = call();
    await vi.advanceTimersByTimeAsync(COST_MS);
    return done;
  };
  expect(await look(() => manager.reconcile())).toBe(false);
  await look(() => manager.flush());
  expect(looks).toHaveLength(2);
  on = true;
  await look(() => manager.flush());
  await look(() => manager.flush());
  expect(looks).toHaveLength(3);
});
