import { keywords, sentences } from "./words";

/**
 * The most telling sentences of a text, in the text's order, by SumBasic (Nenkova and Vanderwende, 2005): the sentence
 * whose words are likeliest on average is taken, then its words become less likely, so that the next says other things.
 * @param count how many sentences at most
 * @param maxChars where a single sentence is cut
 */
export function keySentences(text: string, count: number, maxChars = 240): string[] {
  const left = sentences(text).map((sentence, at) => ({
    sentence,
    at,
    words: [...new Set(keywords(sentence))],
  }));
  const total = left.reduce((sum, { words }) => sum + words.length, 0);
  const likely = new Map<string, number>();
  for (const word of left.flatMap(({ words }) => words))
    likely.set(word, (likely.get(word) ?? 0) + 1 / total);
  const score = (words: string[]) =>
    words.reduce((sum, word) => sum + (likely.get(word) ?? 0), 0) / Math.max(words.length, 1);
  const taken: typeof left = [];
  while (taken.length < count && left.length > 0) {
    const best = left.reduce((a, b) => (score(b.words) > score(a.words) ? b : a));
    left.splice(left.indexOf(best), 1);
    taken.push(best);
    for (const word of best.words) likely.set(word, (likely.get(word) ?? 0) ** 2);
  }
  return taken.sort((a, b) => a.at - b.at).map(({ sentence }) => shorten(sentence, maxChars));
}

/** Cuts a text at a number of code points and marks the cut. */
export function shorten(text: string, maxChars: number): string {
  const points = [...text];
  return points.length <= maxChars ? text : `${points.slice(0, maxChars - 1).join("")}…`;
}
