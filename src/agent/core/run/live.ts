/** One delta of a model call as it came. The offsets are those after it. */
interface Piece {
  kind: "text" | "thinking";
  value: string;
  textEnd: number;
  thinkingEnd: number;
}

/** What a reader of a turn can see of a model call in progress. */
export interface LiveView {
  readonly attempt: string;
  /**
   * The deltas that a reader with `text` and `thinking` characters has not seen, in the order in which they came. The first may
   * be cut when the reader holds a part of it.
   */
  since(text: number, thinking: number): Array<{ kind: "text" | "thinking"; value: string }>;
  readonly text: string;
  readonly thinking: string;
}

/** The answer of the model call in progress: ahead of the journal, which only has checkpoints of it. Lost with the worker. */
export class LiveText implements LiveView {
  readonly attempt: string;
  readonly #pieces: Piece[] = [];
  text = "";
  thinking = "";
  /** Characters that are in checkpoints already. */
  #savedText = 0;
  #savedThinking = 0;

  constructor(attempt: string) {
    this.attempt = attempt;
  }

  push(kind: "text" | "thinking", value: string): void {
    if (value === "") return;
    if (kind === "text") this.text += value;
    else this.thinking += value;
    this.#pieces.push({ kind, value, textEnd: this.text.length, thinkingEnd: this.thinking.length });
  }

  /** Characters that no checkpoint has. */
  get unsaved(): number {
    return this.text.length - this.#savedText + this.thinking.length - this.#savedThinking;
  }

  /** What the next checkpoint holds; it counts as saved from now on. */
  takeUnsaved(): { text: string; thinking: string } {
    const text = this.text.slice(this.#savedText);
    const thinking = this.thinking.slice(this.#savedThinking);
    this.#savedText = this.text.length;
    this.#savedThinking = this.thinking.length;
    return { text, thinking };
  }

  since(text: number, thinking: number): Array<{ kind: "text" | "thinking"; value: string }> {
    const found: Array<{ kind: "text" | "thinking"; value: string }> = [];
    for (let i = this.#firstUnseen(text, thinking); i < this.#pieces.length; i++) {
      const piece = this.#pieces[i] as Piece;
      const [end, seen] = piece.kind === "text" ? [piece.textEnd, text] : [piece.thinkingEnd, thinking];
      const missing = Math.min(end - seen, piece.value.length);
      if (missing > 0) found.push({ kind: piece.kind, value: piece.value.slice(-missing) });
    }
    return found;
  }

  /** Both offsets only grow, so the pieces that a reader lacks begin at a point that halving finds. */
  #firstUnseen(text: number, thinking: number): number {
    let low = 0;
    let high = this.#pieces.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const piece = this.#pieces[middle] as Piece;
      if (piece.textEnd > text || piece.thinkingEnd > thinking) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
