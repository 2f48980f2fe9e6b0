import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Entry, Transcript } from "../../../scripts/start/transcript";

const entries = (...list: [string, string][]): Entry[] => list.map(([who, text]) => ({ who, text }));

function print(...states: Entry[][]): string {
  const transcript = new Transcript();
  return states.map((state) => transcript.update(state)).join("");
}

describe("Transcript", () => {
  it("prints text as it grows, each entry on a line of its own", () => {
    expect(
      print(
        entries(["You", "Hi"]),
        entries(["You", "Hi"], ["Model", ""]),
        entries(["You", "Hi"], ["Model", "Hel"]),
        entries(["You", "Hi"], ["Model", "Hello"]),
      ),
    ).toBe("You: Hi\nModel: Hello");
  });

  it("prints an answer that was taken back from its new start, and says so", () => {
    expect(
      print(
        entries(["Model", "It is"]),
        entries(["Model", ""]),
        entries(["Model", "It is"]),
        entries(["Model", "It is red"]),
      ),
    ).toBe("Model: It is\nModel (from the start): It is red");
    expect(print(entries(["Model", "It is"]), entries(["Model", "No"]))).toBe(
      "Model: It is\nModel (from the start): No",
    );
  });

  it("goes back to an entry that grows after a later one has begun", () => {
    expect(
      print(
        entries(["A", "1"], ["B", "2"]),
        entries(["A", "13"], ["B", "2"]),
        entries(["A", "134"], ["B", "2"]),
      ),
    ).toBe("A: 1\nB: 2\nA (goes on): 34");
  });

  it("begins anew when the page was loaded again", () => {
    expect(print(entries(["A", "1"]), [], entries(["A", "1"]))).toBe("A: 1\nA: 1");
  });

  it("prints nothing twice and loses nothing, however the growth is cut up", () => {
    const texts = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(texts, fc.array(fc.nat({ max: 4 }), { maxLength: 30 }), (finals, steps) => {
        const state = finals.map(() => "");
        const transcript = new Transcript();
        let output = "";
        const show = () => {
          output += transcript.update(state.map((text, index) => ({ who: `<${index}>`, text })));
        };
        // The last entry grows, as in a conversation: one after the other.
        for (const [index, final] of finals.entries()) {
          for (const step of steps) {
            state[index] = final.slice(0, (state[index] ?? "").length + step);
            show();
          }
          state[index] = final;
          show();
        }
        expect(output).toBe(finals.map((final, index) => `<${index}>: ${final}`).join("\n"));
      }),
    );
  });
});
