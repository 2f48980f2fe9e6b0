import { describe, expect, it } from "vitest";
import { areaStorage, type StorageArea } from "@/platform/storage";

function memoryArea(): StorageArea {
  const items = new Map<string, string>();
  return {
    get: async (key) => {
      const text = items.get(key);
      return text === undefined ? {} : { [key]: JSON.parse(text) as unknown };
    },
    set: async (added) => {
      for (const [key, value] of Object.entries(added)) items.set(key, JSON.stringify(value));
    },
    remove: async (key) => {
      items.delete(key);
    },
  };
}

describe("areaStorage", () => {
  it("reads, writes and removes by key", async () => {
    const area = memoryArea();
    const storage = areaStorage(() => area);
    expect(await storage.get("a")).toBeUndefined();
    await storage.set("a", { x: [1] });
    expect(await storage.get("a")).toEqual({ x: [1] });
    await storage.remove("a");
    expect(await storage.get("a")).toBeUndefined();
  });

  it("C086 says what could not be stored and why", async () => {
    const full = areaStorage(() => ({
      ...memoryArea(),
      set: () => Promise.reject(new Error("QUOTA_BYTES quota exceeded.")),
    }));
    await expect(full.set("models", 1)).rejects.toMatchObject({
      name: "StorageError",
      message: expect.stringMatching(/store “models”.*QUOTA_BYTES quota exceeded/),
    });
  });
});
