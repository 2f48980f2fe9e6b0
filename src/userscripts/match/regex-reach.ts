import { canonicalHostPattern, canonicalPort, isNumeric } from "./host";
import { type Coverage, escapeGlob } from "./patterns";
import { expandRegex, HOST_STAR, HOST_UNIT, STAR, START } from "./regex-expand";
import { collapseStars } from "./rule-line";

/** More patterns than this are not worth their cost to the browser. */
const MOST_PATTERNS = 256;
const SCHEMES = [
  ["http", "80"],
  ["https", "443"],
  ["file", ""],
] as const;
const EVERYWHERE: Coverage = { matches: ["<all_urls>"], globs: [], exact: false };

/**
 * The tightest patterns known to take in every URL that a regular expression matches. They come from its beginning: an
 * anchored expression whose scheme and host can be enumerated gives those hosts; anything else gives every page.
 */
export function regexCoverage(source: string, flags: string): Coverage {
  const beginnings = expandRegex(source, flags);
  if (!beginnings) return EVERYWHERE;
  const matches = new Set<string>();
  const globs = new Set<string>();
  for (const beginning of beginnings) {
    if (!beginning.startsWith(START)) return EVERYWHERE;
    const text = beginning.slice(1);
    for (const [scheme, port] of SCHEMES) {
      const rest = afterScheme(text, scheme);
      if (rest === null) continue;
      if (scheme === "file") matches.add("file:///*");
      else addHost(rest, scheme, port, matches, globs);
    }
  }
  if (matches.size + globs.size > MOST_PATTERNS) return EVERYWHERE;
  return { matches: [...matches], globs: [...globs], exact: false };
}

/** What follows "scheme://" when the beginning can be that of such a URL; else null. May be cut short by a wildcard. */
function afterScheme(text: string, scheme: string): string | null {
  const opening = `${scheme}://`;
  for (let i = 0; i < opening.length; i++) {
    const unit = text[i];
    if (unit === HOST_STAR && text.startsWith("://", i + 1)) return text.slice(i + 4);
    // From here on nothing is certain.
    if (unit === STAR || unit === HOST_STAR) return STAR;
    const fits = unit === opening[i] || (unit === HOST_UNIT && opening[i] !== "/");
    if (!fits) return null;
  }
  return text.slice(opening.length);
}

/** Adds what takes in every URL that begins with "scheme://" and `rest`. */
function addHost(
  rest: string,
  scheme: string,
  ownPort: string,
  matches: Set<string>,
  globs: Set<string>,
): void {
  const [, host = "", written = ownPort] = /^([^/:]*)(?::(\d+))?\//.exec(rest) ?? [];
  const isSuffix = host.startsWith(`${HOST_STAR}.`);
  const name = isSuffix ? host.slice(2) : host;
  const port = canonicalPort(written);
  if (rest.startsWith(STAR) || rest.startsWith(`${HOST_STAR}/`)) {
    matches.add(`${scheme}://*/*`);
  } else if (port !== null && isPlainHost(name) && !(isSuffix && isNumeric(name))) {
    matches.add(`${scheme}://${isSuffix ? "*." : ""}${name}:${port}/*`);
  } else {
    const glob = toGlob(rest);
    globs.add(`${scheme}://${glob}`);
    // Globs see the credentials that a URL may carry; expressions do not.
    if (!glob.startsWith("*")) globs.add(`${scheme}://*@${glob}`);
  }
}

function isPlainHost(host: string): boolean {
  return /^[\w.-]+$/.test(host) && canonicalHostPattern(host) === host;
}

/**
 * A glob of the browser for the text after "scheme://", up to its first slash. A host's letters are lower case. The browser's
 * `?` is not used: its search does not go back, so that it misses some of what such a glob means.
 */
function toGlob(text: string): string {
  let glob = "";
  for (const unit of text) {
    glob += /[\uE001-\uE003]/.test(unit) ? "*" : escapeGlob(unit);
    // What follows a slash may be in capitals.
    if (unit === "/") break;
  }
  return collapseStars(`${glob}*`);
}
