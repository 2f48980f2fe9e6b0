import { describe, expect, it, vi } from "vitest";
import { DEFAULT_SETTINGS } from "@/settings/contract";
import { SettingsService } from "@/settings/service";
import { memorySession } from "../../fixtures/memory-session";

function setUp() {
  const storage = memorySession();
  const make = () =>
    new SettingsService(storage, { status: vi.fn(), openDetails: vi.fn(async () => undefined) });
  return { storage, make, settings: make() };
}

describe("settings", () => {
  it("are the defaults at first, then what was set, also for the next worker", async () => {
    const { settings, make } = setUp();
    expect(await settings.get()).toEqual(DEFAULT_SETTINGS);
    await settings.set({ paused: true });
    expect(await make().get()).toEqual({ ...DEFAULT_SETTINGS, paused: true });
  });

  it("keep both of two changes that are made at once", async () => {
    const { settings, make } = setUp();
    await Promise.all([settings.set({ theme: "dark" }), settings.set({ paused: true })]);
    expect(await make().get()).toMatchObject({ theme: "dark", paused: true });
  });

  it("refuse what makes no sense, and change nothing", async () => {
    const { settings } = setUp();
    await expect(settings.set({ theme: "pink" })).rejects.toThrow();
    expect(await settings.get()).toEqual(DEFAULT_SETTINGS);
  });

  it.each<[unknown, object]>([
    ["abc", {}],
    [[1, 2], {}],
    [{ theme: 5, language: {}, paused: "no", blocklist: "x", consentWaitSeconds: "soon" }, {}],
    [{ blocklist: null, paused: true }, { paused: true }],
    [{ blocklist: ["*://a.test/*", "not a pattern", 5], more: 1 }, { blocklist: ["*://a.test/*"] }],
  ])("that are stored as %j are used as far as they make sense", async (stored, used) => {
    const { storage, settings } = setUp();
    await storage.set("settings", stored);
    expect(await settings.get()).toEqual({ ...DEFAULT_SETTINGS, ...used });
    expect(await settings.set({ theme: "dark" })).toEqual({ ...DEFAULT_SETTINGS, ...used, theme: "dark" });
  });

  it.each([
    "",
    "nope",
    "http://[/",
    "http://a b/*",
    "http://a.test",
    "*://*.*/*",
    "http://a.test:x/*",
    "ftp://a.test/*",
    "__proto__",
  ])("refuse %j on the blocklist, with which the browser would take no registration", async (pattern) => {
    const { settings } = setUp();
    await expect(settings.set({ blocklist: ["*://a.test/*", pattern] })).rejects.toThrow(
      /not a match pattern/,
    );
    expect(await settings.get()).toEqual(DEFAULT_SETTINGS);
  });

  it("take every kind of match pattern on the blocklist", async () => {
    const { settings } = setUp();
    const blocklist = [
      "<all_urls>",
      "*://*/*",
      "https://*.a.test/x*",
      "http://a.test:8080/",
      "http://a.test:*/",
      "file:///*",
      "http://[::1]/*",
    ];
    expect(await settings.set({ blocklist })).toMatchObject({ blocklist });
  });

  it("are read again after a reading that failed", async () => {
    const { storage, settings } = setUp();
    vi.spyOn(storage, "get").mockRejectedValueOnce(new Error("the disk"));
    await expect(settings.get()).rejects.toThrow("the disk");
    expect(await settings.get()).toEqual(DEFAULT_SETTINGS);
  });
});
