/** One entry of the conversation as the example script shows it: who speaks, and what was said so far. */
export interface Entry {
  who: string;
  text: string;
}

/**
 * Turns the growing conversation on the page into what a terminal, which can only append, has to print next. Text that was taken back
 * (a broken answer is said again) is printed anew, marked as such.
 */
export class Transcript {
  private shown: (Entry & { retold: boolean })[] = [];
  private current = -1;
  private empty = true;

  /** @returns the text to append for this state of the conversation; "" when nothing is new */
  update(entries: readonly Entry[]): string {
    if (entries.length < this.shown.length) {
      // The page was loaded again.
      this.shown = [];
      this.current = -1;
    }
    return entries.map((entry, index) => this.step(entry, index)).join("");
  }

  private step({ who, text }: Entry, index: number): string {
    const before = this.shown[index] ?? { who, text: "", retold: false };
    if (text === before.text) return "";
    const grows = before.text !== "" && text.startsWith(before.text);
    const retold = before.retold || (before.text !== "" && !grows);
    this.shown[index] = { who, text, retold };
    if (text === "") return "";
    const goesOn = grows && index === this.current;
    const addition = grows ? text.slice(before.text.length) : text;
    const heading = goesOn
      ? ""
      : `${this.empty ? "" : "\n"}${who}${grows ? " (goes on)" : retold ? " (from the start)" : ""}: `;
    this.current = index;
    this.empty = false;
    return heading + addition;
  }
}
