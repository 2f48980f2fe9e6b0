import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SseReader } from "@/agent/core/models/wire/sse";

function readAll(bytes: Uint8Array, cuts: number[]): { events: unknown[]; stray: string } {
  const reader = new SseReader();
  const events: unknown[] = [];
  const places = [...new Set([0, ...cuts.map((c) => c % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  );
  for (const [i, from] of places.entries())
    events.push(...reader.read(bytes.slice(from, places[i + 1] ?? from)));
  events.push(...reader.end());
  return { events, stray: reader.stray };
}

const encode = (text: string) => new TextEncoder().encode(text);

describe("SseReader", () => {
  const line = fc.oneof(
    fc.string({ unit: "grapheme" }).map((s) => `data: ${s.replace(/[\r\n]/g, "")}`),
    fc.string({ unit: "grapheme" }).map((s) => `: ${s.replace(/[\r\n]/g, "")}`),
    fc.constantFrom("", "", "event: ping", "data", "id: 4", "retry: 10", "data:日本語🐱", "junk"),
  );
  const text = fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom("\n", "\r\n", "\r"))
    .map(([lines, eol]) => lines.join(eol) + eol);

  it("gives the same events however the bytes are cut", () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 20 }), (body, cuts) => {
        const bytes = encode(body);
        expect(readAll(bytes, cuts)).toEqual(readAll(bytes, []));
      }),
      { numRuns: 500 },
    );
  });

  it("C094 gives whole characters when each byte comes alone", () => {
    const bytes = encode("data: 日本語 🐱👩‍👩‍👧 é\n\n");
    const each = Array.from(bytes.keys());
    expect(readAll(bytes, each).events).toEqual([{ data: "日本語 🐱👩‍👩‍👧 é" }]);
  });

  it("joins the lines of an event, drops comments and a byte order mark", () => {
    const bytes = encode("\uFEFF: hello\ndata: a\ndata:b\nevent: x\n\n");
    expect(readAll(bytes, []).events).toEqual([{ event: "x", data: "a\nb" }]);
  });

  it("takes an event whose blank line is missing at the end", () => {
    expect(readAll(encode("data: a\n\ndata: b"), []).events).toEqual([{ data: "a" }, { data: "b" }]);
  });

  it("keeps the lines of a body that is no event stream, and forgets them once there is an event", () => {
    expect(readAll(encode('{"error": {\n"message": "no"}}'), []).stray.trim()).toBe(
      '{"error": {\n"message": "no"}}',
    );
    expect(readAll(encode("junk\ndata: a\n\n"), []).stray).toBe("");
  });
});
