import { subset, superset } from "./coverage";
import type { Rule } from "./runtime-test";

/**
 * Where chrome.userScripts shall run a script. In that API a document matches when its URL matches one of `matches` or one
 * of `includeGlobs`, and none of the excluding ones; `matches` must not be empty. When `matches` is empty here, the script
 * runs nowhere and must not be registered.
 */
export interface Registration {
  matches: string[];
  includeGlobs: string[];
  excludeMatches: string[];
  excludeGlobs: string[];
  /** The registration takes in more than the rules: the page must test the URL again. */
  needsCheck: boolean;
}

const ALL = "<all_urls>";
/** The browser refuses a registration that has globs alone; ".invalid" is never resolved (RFC 6761). */
const NO_PAGE = "http://nothing.invalid/";

/** The tightest registration that takes in every URL the rules match. */
export function registrationOf(includes: Rule[], excludes: Rule[]): Registration {
  const wanted = includes.map(superset);
  const unwanted = excludes.map(subset);
  let matches = distinct(wanted.flatMap((cover) => cover.matches));
  let includeGlobs = distinct(wanted.flatMap((cover) => cover.globs));
  if (matches.includes(ALL)) {
    matches = [ALL];
    includeGlobs = [];
  } else if (matches.length === 0 && includeGlobs.length > 0) {
    matches = [NO_PAGE];
  }
  return {
    matches,
    includeGlobs,
    excludeMatches: distinct(unwanted.flatMap((cover) => cover.matches)),
    excludeGlobs: distinct(unwanted.flatMap((cover) => cover.globs)),
    needsCheck: [...wanted, ...unwanted].some((cover) => !cover.exact),
  };
}

function distinct(list: string[]): string[] {
  return [...new Set(list)];
}
