/** What a sentence offers to fill arguments with; each value is used once. */
export interface Offered {
  text: string;
  quoted: string[];
  urls: string[];
  numbers: number[];
  /** Names after a preposition, "weather in New York" → "New York". */
  places: string[];
}

/** Reads the values that a sentence names, in its order. */
export function offeredBy(text: string): Offered {
  const urls = (text.match(/https?:\/\/[^\s"'<>，。）)]+/g) ?? []).map((url) =>
    url.replace(/[.,;:!?]+$/, ""),
  );
  const bare = urls.reduce((rest, url) => rest.replace(url, " "), text);
  const quoted = [
    ...bare.matchAll(/"([^"]+)"|“([^”]+)”|「([^」]+)」|`([^`]+)`|(?<![\p{L}])'([^']+)'(?![\p{L}])/gu),
  ].map((match) => match.slice(1).find((group) => group !== undefined) ?? "");
  const numbers = (bare.match(/(?<![\p{L}\d.])-?\d+(?:\.\d+)?(?![\p{L}\d])/gu) ?? []).map(Number);
  const english = [...bare.matchAll(/\b(?:in|for|at|to|from|of|about|near)\s+((?:\p{Lu}[\p{L}'-]*\s?)+)/gu)];
  const places = english.map((match) => (match[1] ?? "").trim());
  const chinese = /(\p{Script=Han}{2,4}?)(?:的)?(?:今天|明天|现在)?(?:的)?(?:天气|时间|气温)/u.exec(
    bare,
  )?.[1];
  if (chinese) places.push(chinese);
  return { text, quoted, urls, numbers, places };
}

/** "city: Oslo", "city is Oslo", "city = Oslo". */
export function valueNamed(name: string, text: string): string | undefined {
  const label = name.replace(/_/g, " ").replace(/[^\p{L}\p{N} ]/gu, "");
  if (label === "") return undefined;
  const found = new RegExp(
    `(?:^|[^\\p{L}])${label}\\s*(?:[:=：]|\\bis\\b|是|为)\\s*([^\\s,.;，。；]+)`,
    "iu",
  ).exec(text);
  return found?.[1]?.replace(/^["'“”「」]+|["'“”「」]+$/g, "");
}
