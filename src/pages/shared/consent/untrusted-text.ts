/**
 * What nobody sees, or what turns a line around: controls, marks of direction, invisible, private and unassigned characters,
 * halves of surrogate pairs. The first alternative is kept: joiners between visible characters and the emoji form, which
 * several scripts and emoji need.
 */
const UNSEEN =
  /(?<=[^\p{C}\p{Z}])([\u200c\u200d](?=[^\p{C}\p{Z}])|\ufe0f)|(?:\p{C}|\p{Default_Ignorable_Code_Point}|\u2800)+/gu;
/** Marks heaped on one letter reach into the lines above and below. */
const HEAP = /(\p{M}{4})\p{M}+/gu;
const REPLACEMENT = "\ufffd";

/**
 * Text that somebody else has chosen (the name of a script, an address) as it may stand beside our own words: one line, of
 * bounded length, in its own direction only. What would be invisible, or would turn the line around, becomes one visible mark, so
 * that a person sees that something is there.
 * @param max how many characters, as a person counts them, are kept; a text that is cut ends with "…"
 * @returns "" when there is nothing visible in it
 */
export function untrustedText(text: string, max: number): string {
  // Cut roughly first, so that a megabyte of name costs nothing.
  const rough = text.slice(0, max * 16);
  const clean = rough
    .replace(/[\t\n\v\f\r\u0085\p{Z}]+/gu, " ")
    .replace(UNSEEN, (_, kept?: string) => kept ?? REPLACEMENT)
    .replace(HEAP, "$1")
    .trim();
  if (/^[\ufffd\s]*$/.test(clean)) return "";
  const letters = [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(clean)];
  if (letters.length <= max && rough.length === text.length) return clean;
  const kept = letters.slice(0, max).map(({ segment }) => segment);
  return `${kept.join("").trimEnd()}…`;
}
