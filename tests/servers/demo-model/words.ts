/**
 * What the demo model understands of words: enough to tell which tool a sentence asks for and which values it names.
 * English and Chinese.
 */

const STOP = new Set(
  (
    "a an the and or but if then of to in on at for from by with about into over is are was were be been it its this that " +
    "these those i you he she we they me my your our their what which who whom whose how when where why do does did can " +
    "could will would should may please tell say give want need let make use using tool call now just some any all as so " +
    "not no yes hello hi thanks thank 的 了 是 我 你 他 她 它 们 我们 你们 在 和 与 请 吗 呢 吧 什么 怎么 一个 这 那 这个 那个 有 要 用 给 把 被 会 能 查询 获取 返回 当前 列出 工具 用户 使用 怎么样 如何"
  ).split(" "),
);

const segmenters = {
  word: new Intl.Segmenter("zh", { granularity: "word" }),
  sentence: new Intl.Segmenter("zh", { granularity: "sentence" }),
};

/** True when the text is mainly Chinese, so that the answer should be too. */
export function isChinese(text: string): boolean {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return han * 2 > letters;
}

/** The words that carry meaning, lower case, plural and verb endings removed. */
export function keywords(text: string): string[] {
  return allWords(text)
    .filter((word) => !STOP.has(word))
    .map(stem)
    .filter((word) => word.length > 1 || /\p{Script=Han}|\d/u.test(word));
}

/** The words of an identifier: `getPageTitle`, `get_page-title` → get, page, title. */
export function identifierWords(name: string): string[] {
  return allWords(name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[_\-./:]+/g, " ")).map(stem);
}

/** The sentences of a text, trimmed. */
export function sentences(text: string): string[] {
  return text
    .split(/\n+/)
    .flatMap((line) => [...segmenters.sentence.segment(line)].map((part) => part.segment.trim()))
    .filter((sentence) => sentence !== "");
}

function allWords(text: string): string[] {
  return [...segmenters.word.segment(text)]
    .filter((part) => part.isWordLike === true)
    .map((part) => part.segment.toLowerCase());
}

/** A light stemmer: good enough to find "pages" in "page" and "counting" in "count". */
function stem(word: string): string {
  if (!/^[a-z]+$/.test(word) || word.length < 4) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  const ending = ["ing", "ed", "s"].find((each) => word.endsWith(each) && word.length - each.length >= 3);
  if (!ending || word.endsWith("ss")) return word;
  return undoubled(word.slice(0, -ending.length));
}

function undoubled(word: string): string {
  const last = word.at(-1);
  return word.length > 3 && last === word.at(-2) && last !== "l" && last !== "s" ? word.slice(0, -1) : word;
}
