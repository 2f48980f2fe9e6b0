/**
 * The exact URL test of a compiled rule set. Runs in the page beside the scripts, so it is small and needs nothing of
 * the compiler: rules arrive as JSON data.
 */

/** Bits of a scheme mask. */
export const HTTP = 1;
export const HTTPS = 2;
export const FILE = 4;

/** Kinds of rules; numbers keep the JSON short. */
export const MATCH = 0;
export const GLOB = 1;
export const ANYWHERE = 2;
export const REGEX = 3;

/**
 * - MATCH: a match pattern. `host` is "*", "*.suffix" (which takes in the suffix itself), a name, or a name with other
 *   wildcards; `port` "" is any; the path's case counts.
 * - GLOB: a glob with a host part. `authority` is host[:port] as URLs show it (no default port); the case does not count.
 * - ANYWHERE: a glob without a host part, for the whole URL; the case does not count.
 * - REGEX: source and flags of a regular expression for the whole URL.
 */
export type Rule =
  | [kind: typeof MATCH, schemes: number, host: string, port: string, path: string]
  | [kind: typeof GLOB, schemes: number, authority: string, path: string]
  | [kind: typeof ANYWHERE, glob: string]
  | [kind: typeof REGEX, source: string, flags: string];

/** What serializeRules() makes: a URL matches when one of the first and none of the second does. */
export type SerializedRules = [includes: Rule[], excludes: Rule[]];

interface UrlParts {
  scheme: number;
  host: string;
  port: string;
  authority: string;
  /** Path and query, percent-encoding normalised. */
  path: string;
  /** The parts together again, in lower case. */
  whole: string;
  /** The URL without credentials and fragment, as the browser writes it. */
  raw: string;
}
type Test = (url: UrlParts) => boolean;

const URL_PARTS = /^(https?|file):\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:]*)(?::(\d+))?(\/[^#]*)/;
const SCHEMES: Record<string, [bit: number, port: string]> = {
  http: [HTTP, "80"],
  https: [HTTPS, "443"],
  file: [FILE, ""],
};

/** Characters that stand for the same whether percent-encoded or not. */
export const PLAIN = /[\w\-~"<>{}|^`']/;

/** Decodes escapes of PLAIN characters and writes the others in capitals: %7e and ~, %c3 and %C3 are the same. */
export function normalizePercent(text: string): string {
  return text.replace(/%[\da-f]{2}/gi, (encoded) => {
    const char = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return PLAIN.test(char) ? char : encoded.toUpperCase();
  });
}

/** Splits a URL as the browser writes it (`location.href`); null when scripts cannot run on such a URL. */
function parseUrl(href: string): UrlParts | null {
  const found = URL_PARTS.exec(href);
  if (!found) return null;
  const [, name = "", rawHost = "", port = "", rawPath = ""] = found;
  const [scheme = 0, defaultPort = ""] = SCHEMES[name] ?? [];
  const host = rawHost.replace(/\.$/, "");
  const suffix = port && `:${port}`;
  const authority = host + suffix;
  const path = normalizePercent(rawPath);
  return {
    scheme,
    host,
    port: port || defaultPort,
    authority,
    path,
    whole: `${name}://${authority}${path}`.toLowerCase(),
    raw: `${name}://${rawHost}${suffix}${rawPath}`,
  };
}

/** Compiles a glob in which only `*` is special; the test is linear in the text. */
export function globTest(glob: string): (text: string) => boolean {
  const parts = glob.split("*");
  const first = parts[0] ?? "";
  const last = parts.length > 1 ? (parts.pop() ?? "") : null;
  return (text) => {
    if (last === null) return text === first;
    const end = text.length - last.length;
    if (!text.startsWith(first) || !text.endsWith(last) || end < first.length) return false;
    let at = first.length;
    for (let i = 1; i < parts.length; i++) {
      const part = parts[i] ?? "";
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= end;
  };
}

/** "*.suffix" takes in the suffix and its subdomains, as in Chrome's match patterns; IP addresses have none. */
function hostTest(pattern: string): (host: string) => boolean {
  const suffix = pattern.slice(1);
  if (!pattern.startsWith("*.") || suffix.includes("*")) return globTest(pattern);
  const isAddress = /^\[|(?:^|\.)\d+$/;
  return (host) => host === suffix.slice(1) || (host.endsWith(suffix) && !isAddress.test(host));
}

function compile(rule: Rule): Test {
  switch (rule[0]) {
    case MATCH: {
      const [, schemes, host, port, path] = rule;
      const hostMatches = hostTest(host);
      const pathMatches = globTest(path);
      // Chrome lets /a/* match /a too (URLPattern::MatchesPath), unless a character is one that it escapes.
      const bare = /^[^?\\]*\/\*$/.test(path) ? path.slice(0, -2) : null;
      return (url) =>
        (schemes & url.scheme) !== 0 &&
        (port === "" || port === url.port) &&
        hostMatches(url.host) &&
        (pathMatches(url.path) || url.path === bare);
    }
    case GLOB: {
      const [, schemes, authority, path] = rule;
      const authorityMatches = globTest(authority);
      const pathMatches = globTest(path.toLowerCase());
      return (url) =>
        (schemes & url.scheme) !== 0 &&
        authorityMatches(url.authority) &&
        pathMatches(url.path.toLowerCase());
    }
    case ANYWHERE: {
      const matches = globTest(rule[1].toLowerCase());
      return (url) => matches(url.whole);
    }
    case REGEX: {
      const regex = new RegExp(rule[1], rule[2]);
      return (url) => regex.test(url.raw);
    }
  }
}

/** Makes the test of a rule set; it takes the URL as the browser writes it. */
export function reviveRules(rules: SerializedRules): (href: string) => boolean {
  const [includes, excludes] = rules.map((list) => list.map(compile)) as [Test[], Test[]];
  return (href) => {
    const url = parseUrl(href);
    const hits = (test: Test) => url !== null && test(url);
    return includes.some(hits) && !excludes.some(hits);
  };
}

/** One test of one URL, such as `location.href`. */
export function testRules(rules: SerializedRules, href: string): boolean {
  return reviveRules(rules)(href);
}
