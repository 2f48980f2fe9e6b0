/**
 * How well a text answers what was typed: every word must be in it; the start of the text counts most, then the start of a
 * word, then anywhere. 0 is no match.
 */
export function rank(query: string, text: string): number {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const target = text.toLowerCase();
  let score = 1;
  for (const word of words) {
    const at = target.indexOf(word);
    if (at < 0) return 0;
    if (at === 0) score += 4;
    else if (/[\s/.·-]/.test(target[at - 1] ?? "")) score += 2;
    else score += 1;
  }
  return score;
}
