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
  /** Path and query, as the browser writes them and with normalised percent-encoding. */
  paths: [raw: string, plain: string];
  /** The URL without credentials and fragment, as the browser writes it. */
  href: string;
}
type Test = (url: UrlParts) => boolean;

const URL_PARTS = /^(https?|file):\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:]*)(?::(\d+))?(\/[^#]*)/;
const SCHEMES: Record<string, [bit: number, port: string]> = {
  http: [HTTP, "80"],
  https: [HTTPS, "443"],
  file: [FILE, ""],
};

const ESCAPES =
  /%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[\da-f](?:%[89ab][\da-f]){3}|%[\da-f]{2}/gi;
/** ASCII characters that are the same with and without percent-encoding. */
const PLAIN = /^[\w\-~"<>]$/;
/** Characters that stay encoded since they would be invisible or mislead. */
const HIDDEN = /[\x85\u2800\p{Z}\p{Cf}\p{DI}\u{1f50f}\u{1f510}\u{1f512}\u{1f513}]/u;

/**
 * Decodes percent-encoding where encoded and plain mean the same. What is decoded is what Chrome 156 decodes (measured)
 * in the paths of match patterns and of the URLs they are compared with, so that both decide alike.
 * @param broken stands for bytes that are not UTF-8; they are left encoded without it.
 */
export function normalizePercent(text: string, broken?: string): string {
  return text.replace(ESCAPES, (encoded) => {
    let char: string;
    try {
      char = decodeURIComponent(encoded);
    } catch {
      return broken ?? encoded;
    }
    return (char < "\x80" ? PLAIN.test(char) : !HIDDEN.test(char)) ? char : encoded;
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
  return {
    scheme,
    host,
    port: port || defaultPort,
    authority: host + suffix,
    paths: [rawPath, normalizePercent(rawPath, "\uFFFF")],
    href: `${name}://${rawHost}${suffix}${rawPath}`,
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

/** A path matches a rule as it is written, or when both are normalised: so does the browser. */
function pathTest(path: string, make: (path: string) => (path: string) => boolean): Test {
  const raw = make(path);
  const plain = make(normalizePercent(path));
  return ({ paths }) => raw(paths[0]) || plain(paths[1]);
}

/** In Chrome /a/* matches /a too (URLPattern::MatchesPath), unless the path has a character that it escapes. */
function exactCase(path: string): (path: string) => boolean {
  const matches = globTest(path);
  const bare = /^[^?\\]*\/\*$/.test(path) ? path.slice(0, -2) : null;
  return (text) => matches(text) || text === bare;
}

function anyCase(path: string): (path: string) => boolean {
  const matches = globTest(path.toLowerCase());
  return (text) => matches(text.toLowerCase());
}

function compile(rule: Rule): Test {
  if (rule[0] === REGEX) {
    const regex = new RegExp(rule[1], rule[2]);
    return (url) => regex.test(url.href);
  }
  if (rule[0] === ANYWHERE) {
    const matches = anyCase(normalizePercent(rule[1]));
    return (url) => matches(normalizePercent(url.href));
  }
  const [kind, schemes, host, ...rest] = rule;
  const path = rest.at(-1) ?? "";
  const pathMatches = pathTest(path, kind === MATCH ? exactCase : anyCase);
  const hostMatches = kind === MATCH ? hostTest(host) : globTest(host);
  const port = kind === MATCH ? rest[0] : "";
  return (url) =>
    (schemes & url.scheme) !== 0 &&
    (port === "" || port === url.port) &&
    hostMatches(kind === MATCH ? url.host : url.authority) &&
    pathMatches(url);
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
