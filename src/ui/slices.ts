import { type HighlightState, highlight, START, type Token } from "./highlight";

/** Lines in one slice of a shown code: enough to fill a screen several times, few enough to colour in a millisecond. */
export const SLICE_LINES = 100;
/** A slice longer than this (minified code) stays plain: its thousands of tokens would cost more than they tell. */
const MAX_COLOURED = 20_000;

/** The lines of a text; a line break at its end begins no further line. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

/** A code cut into slices of whole lines, coloured on demand. */
export class Slices {
  /** The text of each slice, without the line break at its end. */
  readonly texts: readonly string[];
  readonly lineCount: number;
  /** The states at the starts of the slices, as far as they are known. */
  readonly #states: HighlightState[] = [START];

  constructor(code: string) {
    const lines = linesOf(code);
    this.lineCount = lines.length;
    const texts: string[] = [];
    for (let at = 0; at < lines.length; at += SLICE_LINES) {
      texts.push(lines.slice(at, at + SLICE_LINES).join("\n"));
    }
    this.texts = texts;
  }

  /** How many lines slice `index` has. */
  lineCountOf(index: number): number {
    return Math.min(SLICE_LINES, this.lineCount - index * SLICE_LINES);
  }

  /** The coloured tokens of slice `index`. Linear in what lies before it that was not coloured yet. */
  tokens(index: number): Token[] {
    const text = this.texts[index];
    if (text === undefined) return [];
    if (text.length > MAX_COLOURED) return [{ kind: "plain", text }];
    return highlight(text, this.#stateAt(index)).tokens;
  }

  #stateAt(index: number): HighlightState {
    while (this.#states.length <= index) {
      const at = this.#states.length - 1;
      const before = this.#states[at] ?? START;
      this.#states.push(highlight(`${this.texts[at] ?? ""}\n`, before).state);
    }
    return this.#states[index] ?? START;
  }
}
