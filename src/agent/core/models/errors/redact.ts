/** Takes a key out of a text, also where the text shows it encoded for a URL. Keys of less than 4 characters hide nothing. */
export function redact(text: string, key: string): string {
  if (key.length < 4) return text;
  return text.replaceAll(key, "[key]").replaceAll(encodeURIComponent(key), "[key]");
}
