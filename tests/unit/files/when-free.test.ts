import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { whenFree } from "@/files/store/when-free";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const busy = () => new DOMException("Access Handles cannot be created.", "NoModificationAllowedError");

it("waits until what an earlier worker began has come to its end", async () => {
  const job = vi.fn(async () => "settled");
  for (let i = 0; i < 20; i++) job.mockRejectedValueOnce(busy());
  const done = whenFree(job);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await done).toBe("settled");
  expect(job).toHaveBeenCalledTimes(21);
});

it("waits for no other reason, and not for ever", async () => {
  await expect(whenFree(() => Promise.reject(new TypeError("broken")))).rejects.toThrow("broken");
  const done = whenFree(() => Promise.reject(busy())).catch((error: Error) => error.name);
  await vi.advanceTimersByTimeAsync(61_000);
  expect(await done).toBe("NoModificationAllowedError");
});
