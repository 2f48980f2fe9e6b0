import { describe, expect, it, vi } from "vitest";
import { fetchSource } from "@/userscripts/fetch-source";

const URL_ = "https://scripts.test/a.user.js";

const answer = (body: BodyInit | null, init?: ResponseInit) => vi.fn(async () => new Response(body, init));

describe("the source of a script from an address", () => {
  it("is the text, also when a character lies across two parts", async () => {
    const bytes = new TextEncoder().encode("// 脚本");
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(bytes.slice(0, 4));
        controller.enqueue(bytes.slice(4));
        controller.close();
      },
    });
    expect((await fetchSource(URL_, answer(body))).code).toBe("// 脚本");
  });

  it("ends at 20 MB, though the server does not say how much it sends", async () => {
    const part = new Uint8Array(1024 * 1024).fill(32);
    let sent = 0;
    const cancel = vi.fn();
    const body = new ReadableStream({
      pull: (controller) => {
        sent += 1;
        controller.enqueue(part);
      },
      cancel,
    });
    await expect(fetchSource(URL_, answer(body))).rejects.toThrow("larger than 20 MB");
    expect(cancel).toHaveBeenCalled();
    expect(sent).toBeLessThan(25);
  });

  it("that breaks off or stalls is a sentence with the host", async () => {
    const failing = (error: unknown) =>
      answer(new ReadableStream({ pull: (controller) => controller.error(error) }));
    await expect(fetchSource(URL_, failing(new TypeError("network error")))).rejects.toMatchObject({
      name: "NetworkError",
      message: expect.stringContaining("scripts.test could not be reached, or the connection was cut"),
    });
    await expect(fetchSource(URL_, failing(new DOMException("", "TimeoutError")))).rejects.toThrow(
      "scripts.test did not send the file within 30 seconds",
    );
  });

  it.each([
    ["file:///etc/passwd", "not a web address"],
    ["nonsense", "not a web address"],
  ])("is not asked for at %s", async (url, why) => {
    const request = answer("x");
    await expect(fetchSource(url, request)).rejects.toThrow(why);
    expect(request).not.toHaveBeenCalled();
  });

  it("is no web page, and no error page", async () => {
    await expect(fetchSource(URL_, answer(" <!doctype html>"))).rejects.toThrow("web page");
    await expect(fetchSource(URL_, answer("", { status: 404, statusText: "Not Found" }))).rejects.toThrow(
      "answered 404 Not Found",
    );
  });
});
