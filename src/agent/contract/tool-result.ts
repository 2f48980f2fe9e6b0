/** Characters of one tool result that the model is shown. */
export const MAX_RESULT_CHARS = 100_000;

/** The text, or its first `most` characters and a note that says so. */
export function bounded(text: string, most = MAX_RESULT_CHARS): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)}\n[Cut: ${text.length} characters, of which the first ${most} are shown. Ask for less.]`;
}
