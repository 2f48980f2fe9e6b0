import { hostedSchemes, readAuthority, WEB } from "./authority";
import { EVERYWHERE, filePath } from "./match-pattern";
import { canonicalPath } from "./path";
import { collapseStars, type RuleLine, report, withoutFragment } from "./rule-line";
import { ANYWHERE, FILE, GLOB, globTest, HTTP, HTTPS, MATCH, type Rule } from "./runtime-test";

const OPENINGS = [
  [HTTP, "http://"],
  [HTTPS, "https://"],
  [FILE, "file:///"],
] as const;

/**
 * Reads an `@include` or `@exclude` glob, in which `*` is the only special character. A glob with a host part is split:
 * a `*` in the host part stays in the host, so `https://*.example.com/*` does not match a path that holds that name.
 * The host part, with its port or without one, must be the URL's; the case never counts.
 * @returns an empty list, with a problem reported, when the line cannot be used.
 */
export function parseGlob(rule: RuleLine): Rule[] {
  const cut = withoutFragment(rule);
  if (cut === null) return [];
  const text = collapseStars(cut);
  if (text === "*") return [EVERYWHERE];
  if (text === "" || text.startsWith("/")) {
    report(rule, "match.not-a-url", {});
    return [];
  }
  const scheme = /^([^/?.]*|[^/*.]*):\/\/(.*)$/s.exec(text) ?? /^([a-z]*\*)\/\/(.*)$/is.exec(text);
  if (scheme) return withScheme(rule, (scheme[1] ?? "").toLowerCase(), scheme[2] ?? "");
  return withoutScheme(rule, text);
}

function withScheme(rule: RuleLine, scheme: string, rest: string): Rule[] {
  const isScheme = globTest(scheme);
  if (isScheme("file") && scheme !== "*") return [[GLOB, FILE, "*", canonicalPath(filePath(rest))]];
  const schemes = hostedSchemes().reduce((mask, [bit, name]) => (isScheme(name) ? mask | bit : mask), 0);
  if (schemes === 0) {
    report(rule, "match.unsupported-scheme", { scheme });
    return [];
  }
  return hosted(rule, schemes, rest, scheme);
}

function withoutScheme(rule: RuleLine, text: string): Rule[] {
  const opaque = /^([a-z][a-z\d+.-]*):(?![\d*])/i.exec(text);
  if (opaque) {
    report(rule, "match.unsupported-scheme", { scheme: opaque[1] ?? "" });
    return [];
  }
  const literal = text.split("*", 1)[0]?.toLowerCase() ?? "";
  const schemes = OPENINGS.reduce((mask, [bit, text]) => (text.startsWith(literal) ? mask | bit : mask), 0);
  if (text === `${literal}*` && schemes !== 0) return [[MATCH, schemes, "*", "", "*"]];
  // "example.com/*" and "*.example.com/*" begin with a host; "*example*" may be anything.
  if (schemes === 0 || /^\*\.[^.*/?:]+(?:\.[^.*/?:]+)+(?::\d+)?(?:\/|$)/.test(text)) {
    report(rule, "match.no-scheme", { used: `*://${text}` });
    return hosted(rule, WEB, text, "*");
  }
  report(rule, "match.anywhere", {});
  return [[ANYWHERE, canonicalPath(text)]];
}

/** The rules for a glob whose scheme is known. */
function hosted(rule: RuleLine, schemes: number, rest: string, scheme: string): Rule[] {
  const { authority, path } = splitAuthority(rule, rest, scheme);
  const found = readAuthority(rule, authority);
  if (!found) return [];
  const { host, port } = found;
  const byAuthority = (authority: string, mask: number): Rule => [GLOB, mask, authority, canonicalPath(path)];
  if (port === undefined) return [byAuthority(host, schemes)];
  if (port === "*") return [byAuthority(host, schemes), byAuthority(`${host}:*`, schemes)];
  // URLs do not show the scheme's own port.
  return hostedSchemes(schemes).map(([bit, , own]) =>
    byAuthority(port === own ? host : `${host}:${port}`, bit),
  );
}

/**
 * Where the host part ends. Without a slash after it, its last wildcard covers the rest of the host and the path
 * (http://example.com* means every page of hosts that begin so); without a wildcard the path is the front page.
 */
function splitAuthority(rule: RuleLine, rest: string, scheme: string): { authority: string; path: string } {
  const end = rest.search(/[/?]/);
  if (end >= 0 && rest[end] === "/") return { authority: rest.slice(0, end), path: rest.slice(end) };
  const region = end < 0 ? rest : rest.slice(0, end);
  const star = region.lastIndexOf("*");
  if (star >= 0) return { authority: rest.slice(0, star + 1), path: rest.slice(star) };
  const path = `/${rest.slice(region.length)}`;
  report(rule, "match.no-path", { used: `${scheme}://${region}${path}` });
  return { authority: region, path };
}
