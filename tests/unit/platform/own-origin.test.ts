import { afterEach, beforeEach, expect, it, vi } from "vitest";

const updateSessionRules = vi.fn<(change: unknown) => Promise<void>>();

beforeEach(() => {
  vi.resetModules();
  updateSessionRules.mockReset().mockResolvedValue(undefined);
  vi.stubGlobal("chrome", { runtime: { id: "ownid" }, declarativeNetRequest: { updateSessionRules } });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("takes Origin and Referer off our own requests only, once a start", async () => {
  const { stripOwnOrigin } = await import("@/platform/own-origin");
  await Promise.all([stripOwnOrigin(), stripOwnOrigin()]);
  expect(updateSessionRules).toHaveBeenCalledExactlyOnceWith({
    removeRuleIds: [1],
    addRules: [
      expect.objectContaining({
        id: 1,
        condition: expect.objectContaining({ initiatorDomains: ["ownid"] }),
        action: {
          type: "modifyHeaders",
          requestHeaders: [
            { header: "origin", operation: "remove" },
            { header: "referer", operation: "remove" },
          ],
        },
      }),
    ],
  });
});

it("a failure is told to whoever waits, and the next one tries again", async () => {
  const { stripOwnOrigin } = await import("@/platform/own-origin");
  updateSessionRules.mockRejectedValueOnce(new Error("no rules"));
  await expect(stripOwnOrigin()).rejects.toThrow("no rules");
  await stripOwnOrigin();
  expect(updateSessionRules).toHaveBeenCalledTimes(2);
});
