import { collapseStars } from "./rule-line";
import { normalizePercent } from "./runtime-test";

/** The path (and query) of a rule as the browser writes it in URLs, wildcards kept. */
export function canonicalPath(path: string): string {
  const query = path.indexOf("?");
  const end = query < 0 ? path.length : query;
  return collapseStars(encode(path.slice(0, end), "http://a/") + encode(path.slice(end), "http://a/?"));
}

/** Percent-encodes what the URL parser encodes behind such a beginning; dots and backslashes are left as they are. */
function encode(text: string, beginning: string): string {
  return text.replace(/[^\x21-\x7e]+|["'<>^`{|}]+/g, (run) =>
    // The final character keeps blanks from being at the end, where they are dropped.
    new URL(`${beginning}${run}-`).href.slice(beginning.length, -1),
  );
}

export interface BrowserPath {
  path: string;
  /** False when `path` matches more than the rule's path. */
  exact: boolean;
}

/** A path for a match pattern of the browser, for a rule to which the case does not matter: wildcards stand for letters. */
export function caselessPath(path: string): BrowserPath {
  const text = path.replace(/(?:%[\da-f]{2})+|[A-Za-z]+/gi, (run) => {
    const plain = normalizePercent(run);
    return plain.toLowerCase() === plain.toUpperCase() ? run : "*";
  });
  return { path: collapseStars(text), exact: text === path };
}

/** True when Chrome reads the path as one that also matches without its final slash and wildcard. */
export function hasOptionalTail(path: string): boolean {
  return /^[^?\\]+\/\*$/.test(path);
}
