/**
 * What chrome.userScripts does with match patterns and globs: the documented grammar, and the details measured in
 * Chromium 156 (percent-encoding, optional tail, globs seeing the whole URL). Written apart from the product's code, so that
 * the two can be compared.
 */
import type { Registration } from "@/userscripts/match";

const HOST = /^(?:\*|(?:\*\.)?(?:[^\s*@:/?#[\]\\]+|\[[0-9a-f:.]+\]))$/;

/** Whether the browser accepts a match pattern: <scheme>://<host>[:port]<path>. */
export function isMatchPattern(pattern: string): boolean {
  if (pattern === "<all_urls>") return true;
  const found = /^(\*|https?|file):\/\/([^/]*)(\/.*)$/s.exec(pattern);
  if (!found) return false;
  const [, scheme = "", authority = ""] = found;
  if (scheme === "file") return authority === "";
  const [, host = "", port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(authority) ?? [];
  if (!HOST.test(host)) return false;
  if (port === undefined) return true;
  if (scheme === "*") return false;
  return /^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536;
}

/** The browser's globs: `*` any text, `?` at most one character, `\` takes the next one literally. */
export function globMatches(glob: string, text: string): boolean {
  let states = new Set([0]);
  const tokens = glob.match(/\\.|./gs) ?? [];
  const closure = (from: Set<number>) => {
    const all = new Set(from);
    for (const state of all) if (tokens[state] === "*" || tokens[state] === "?") all.add(state + 1);
    return all;
  };
  states = closure(states);
  for (const char of text) {
    const next = new Set<number>();
    for (const state of states) {
      const token = tokens[state];
      if (token === "*") next.add(state);
      else if (token === "?" || token === char || token === `\\${char}`) next.add(state + 1);
    }
    states = closure(next);
  }
  return states.has(tokens.length);
}

const KEPT_ENCODED = /[\u0085\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800🔏🔐🔒🔓]/u;

/** The browser decodes letters, digits and -_~"<> in patterns and URLs, and UTF-8 text that is not invisible. */
function decode(path: string, broken?: string): string {
  let out = "";
  for (let rest = path; rest !== ""; ) {
    let taken = rest.slice(0, 1);
    if (/^%[0-9a-f]{2}/i.test(rest)) taken = rest.slice(0, 3);
    let plain = taken;
    const run = /^(?:%[0-9a-f]{2}){1,4}/i.exec(rest)?.[0] ?? "";
    for (let length = 3; length <= run.length; length += 3) {
      const encoded = run.slice(0, length);
      const bytes = Buffer.from(encoded.replaceAll("%", ""), "hex");
      const text = bytes.toString("utf8");
      if ([...text].length !== 1 || text === "\uFFFD") continue;
      taken = encoded;
      const decodes = bytes.length === 1 ? /[A-Za-z0-9_~"<>-]/.test(text) : !KEPT_ENCODED.test(text);
      plain = decodes ? text : encoded;
      break;
    }
    const isEscape = /^%[0-9a-f]{2}$/i.test(taken);
    out += isEscape && broken !== undefined && Number.parseInt(taken.slice(1), 16) > 0x7f ? broken : plain;
    rest = rest.slice(taken.length);
  }
  return out;
}

export function patternMatches(pattern: string, href: string): boolean {
  const url = new URL(href);
  const scheme = url.protocol.slice(0, -1);
  if (pattern === "<all_urls>") return /^(?:https?|file)$/.test(scheme);
  const found = /^(\*|https?|file):\/\/(\[[^\]]*\]|[^/:]*)(?::(\d+))?(\/.*)$/s.exec(pattern);
  if (!found) throw new Error(`not a pattern: ${pattern}`);
  const [, wantedScheme = "", wantedHost = "", wantedPort, wantedPath = ""] = found;
  if (wantedScheme === "*" ? !/^https?$/.test(scheme) : wantedScheme !== scheme) return false;
  const host = url.hostname.replace(/\.$/, "");
  if (scheme !== "file" && wantedHost !== "*") {
    const base = wantedHost.replace(/^\*\./, "").replace(/\.$/, "");
    const isAddress = host.startsWith("[") || /^[\d.]+$/.test(host);
    const below = wantedHost.startsWith("*.") && !isAddress && host.endsWith(`.${base}`);
    if (host !== base && !below) return false;
  }
  const port = url.port || { http: "80", https: "443" }[scheme];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  const withoutFragment = href.split("#", 1)[0] ?? "";
  const path = withoutFragment.replace(/^[a-z]+:\/\/[^/]*/, "");
  const matches = (glob: string, text: string) => {
    const escaped = glob.replace(/[?\\]/g, "\\$&");
    return `${text}/*` === escaped || globMatches(escaped, text);
  };
  // Bytes that are not UTF-8 are like nothing else once decoded.
  return matches(wantedPath, path) || matches(decode(wantedPath), decode(path, "\0"));
}

/** The browser's decision for a registration and a URL as it writes it. */
export function browserRuns(registration: Registration, href: string): boolean {
  const hit = (patterns: string[], globs: string[]) =>
    patterns.some((pattern) => patternMatches(pattern, href)) ||
    globs.some((glob) => globMatches(glob, href));
  const { matches, includeGlobs, excludeMatches, excludeGlobs } = registration;
  return hit(matches, includeGlobs) && !hit(excludeMatches, excludeGlobs);
}
