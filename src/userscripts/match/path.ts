import { collapseStars } from "./rule-line";
import { normalizePercent, PLAIN } from "./runtime-test";

/** The path (and query) of a rule as URLs show it, wildcards kept. */
export function canonicalPath(path: string): string {
  const ascii = path.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);
  return collapseStars(normalizePercent(ascii));
}

export interface BrowserPath {
  path: string;
  /** False when `path` matches more than the rule's path. */
  exact: boolean;
}

/**
 * A path for a match pattern of the browser. Chrome 156 (measured) decodes in patterns and URLs escapes of letters,
 * digits and -_~"<> and of most non-ASCII characters; where it and normalizePercent() part ways, and for letters when
 * `caseless`, a wildcard stands in.
 */
export function browserPath(path: string, caseless: boolean): BrowserPath {
  let exact = true;
  const text = path.replace(/(?:%[\dA-F]{2})+|[{}|^`']+|[A-Za-z]+/g, (run) => {
    const kept = run.startsWith("%") ? isStable(run) : /^[A-Za-z]/.test(run) && !caseless;
    if (kept) return run;
    exact = false;
    return "*";
  });
  return { path: collapseStars(text), exact };
}

/** True when the browser and normalizePercent() see the same in a run of escapes. */
function isStable(run: string): boolean {
  let text: string;
  try {
    text = decodeURIComponent(run);
  } catch {
    // Not UTF-8: the browser compares such escapes letter by letter, case included.
    return false;
  }
  return [...text].every((char) =>
    char < "\x80"
      ? !PLAIN.test(char) && /^\d\d$/.test(char.charCodeAt(0).toString(16).padStart(2, "0"))
      : /[\p{L}\p{N}]/u.test(char) && !/\p{DI}/u.test(char),
  );
}

/** True when Chrome reads the path as one that also matches without its final slash and wildcard. */
export function hasOptionalTail(path: string): boolean {
  return /^[^?\\]+\/\*$/.test(path);
}
