import { readAuthority, WEB } from "./authority";
import { isWild } from "./host";
import { canonicalPath } from "./path";
import { collapseStars, type RuleLine, report, withoutFragment } from "./rule-line";
import { FILE, HTTP, HTTPS, MATCH, type Rule } from "./runtime-test";

/** Every page that scripts can run on. */
export const EVERYWHERE: Rule = [MATCH, WEB | FILE, "*", "", "*"];

const SCHEMES = new Map([
  ["http", HTTP],
  ["https", HTTPS],
  ["file", FILE],
  ["*", WEB],
  ["http*", WEB],
]);

/**
 * Reads a `@match` or `@exclude-match` pattern: Chrome's match patterns, and what other managers take beside them
 * (`http*://`, no scheme, wildcards anywhere in the host). Ports are honoured; a pattern without one matches any port.
 * @returns null, with a problem reported, when the line cannot be used.
 */
export function parseMatchPattern(rule: RuleLine): Rule | null {
  const text = withoutFragment(rule);
  if (text === null) return null;
  if (text === "<all_urls>") return EVERYWHERE;
  if (/^\*+$/.test(text)) {
    report(rule, "match.bare-wildcard", {});
    return EVERYWHERE;
  }
  if (text.startsWith("/")) {
    report(rule, /\/[a-z]*$/.test(text.slice(1)) ? "match.regex" : "match.not-a-url", {});
    return null;
  }
  const split = splitScheme(rule, text);
  if (!split) return null;
  const { schemes, rest } = split;
  if (schemes === FILE) return [MATCH, FILE, "*", "", canonicalPath(filePath(rest))];

  const slash = rest.search(/[/?]/);
  const authority = slash < 0 ? rest : rest.slice(0, slash);
  let path = slash < 0 ? "" : rest.slice(slash);
  const found = readAuthority(rule, authority);
  if (!found) return null;
  const { host, port = "*" } = found;
  if (isWild(host)) report(rule, "match.host-wildcard", {});
  if (!path.startsWith("/")) {
    path = path === "" && authority.endsWith("*") ? "/*" : `/${path}`;
    if (!path.endsWith("*")) report(rule, "match.no-path", { used: `${split.scheme}://${authority}${path}` });
  }
  if (split.guessed) report(rule, "match.no-scheme", { used: `*://${authority}${path}` });
  return [MATCH, schemes, host, port === "*" ? "" : port, canonicalPath(path)];
}

function splitScheme(rule: RuleLine, text: string) {
  const found = /^([^/.]*):\/\/(.*)$/s.exec(text);
  const opaque = found ? null : /^([a-z][a-z\d+.-]*):(?![\d*])/i.exec(text);
  const scheme = collapseStars((found?.[1] ?? opaque?.[1] ?? "*").toLowerCase());
  const schemes = opaque ? undefined : SCHEMES.get(scheme);
  if (schemes === undefined) {
    report(rule, "match.unsupported-scheme", { scheme });
    return null;
  }
  return { scheme, schemes, rest: found?.[2] ?? text, guessed: !found };
}

/** The path of a file pattern. The host is ignored, and may be left out: file://* is file:///*. */
export function filePath(rest: string): string {
  const slash = rest.indexOf("/");
  return slash < 0 ? `/${rest}` : rest.slice(slash);
}
