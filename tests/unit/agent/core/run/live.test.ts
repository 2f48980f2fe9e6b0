import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LiveText } from "@/agent/core/run/live";

const deltas = fc.array(
  fc.record({
    kind: fc.constantFrom("text" as const, "thinking" as const),
    value: fc.string({ maxLength: 5 }),
  }),
  { maxLength: 30 },
);

describe("the answer in progress", () => {
  it("gives a reader the rest of both texts, wherever it is in them", () => {
    fc.assert(
      fc.property(deltas, fc.nat(), fc.nat(), (all, a, b) => {
        const live = new LiveText("1");
        for (const { kind, value } of all) live.push(kind, value);
        const text = a % (live.text.length + 1);
        const thinking = b % (live.thinking.length + 1);
        const rest = { text: live.text.slice(0, text), thinking: live.thinking.slice(0, thinking) };
        for (const { kind, value } of live.since(text, thinking)) {
          expect(value).not.toBe("");
          rest[kind] += value;
        }
        expect(rest).toEqual({ text: live.text, thinking: live.thinking });
      }),
    );
  });

  it("has nothing for a reader that claims to be further than it is", () => {
    const live = new LiveText("1");
    live.push("text", "abc");
    expect(live.since(99, 99)).toEqual([]);
  });

  it("puts each character into exactly one checkpoint", () => {
    fc.assert(
      fc.property(deltas, fc.infiniteStream(fc.boolean()), (all, saves) => {
        const live = new LiveText("1");
        const saved = { text: "", thinking: "" };
        const save = () => {
          const { text, thinking } = live.takeUnsaved();
          saved.text += text;
          saved.thinking += thinking;
          expect(live.unsaved).toBe(0);
        };
        for (const { kind, value } of all) {
          live.push(kind, value);
          if (saves.next().value) save();
        }
        save();
        expect(saved).toEqual({ text: live.text, thinking: live.thinking });
      }),
    );
  });
});
