import { hostedSchemes, WEB } from "./authority";
import { isNumeric, isWild } from "./host";
import { caselessPath, hasOptionalTail } from "./path";
import { type Coverage, escapeGlob } from "./patterns";
import { regexCoverage } from "./regex-reach";
import { collapseStars } from "./rule-line";
import { ANYWHERE, FILE, GLOB, MATCH, REGEX, type Rule } from "./runtime-test";

const NOTHING: Coverage = { matches: [], globs: [], exact: false };

/** The tightest patterns and globs that match at least what an including rule matches. */
export function superset(rule: Rule): Coverage {
  switch (rule[0]) {
    case MATCH:
      return matchSuperset(rule[1], rule[2], rule[3], rule[4]);
    case GLOB:
      return globSuperset(rule[1], rule[2], rule[3]);
    case ANYWHERE:
      return { matches: [/^http/i.test(rule[1]) ? "*://*/*" : "<all_urls>"], globs: [], exact: false };
    case REGEX:
      return regexCoverage(rule[1], rule[2]);
  }
}

/**
 * Patterns and globs that match nothing but what an excluding rule matches: what the browser cannot express is left to the
 * check in the page, since too wide an exclusion could not be undone there.
 */
export function subset(rule: Rule): Coverage {
  if (rule[0] === MATCH) {
    const cover = superset(rule);
    return cover.exact ? cover : NOTHING;
  }
  if (rule[0] !== GLOB) return NOTHING;
  const [, schemes, authority, path] = rule;
  if (authority.includes("*") && authority !== "*") return NOTHING;
  if (!rooted(path).some(hasOptionalTail)) {
    return { matches: patterns(schemes, authority, path), globs: [], exact: caselessPath(path).exact };
  }
  // The pattern would also exclude the path without its tail. A glob would not; it is a prefix, so it cannot leak.
  if (path.indexOf("*") !== path.length - 1 || authority === "*" || schemes & FILE) return NOTHING;
  const prefix = escapeGlob(path.slice(0, -1));
  const globs = hostedSchemes(schemes).map(([, name]) => `${name}://${authority}${prefix}*`);
  return { matches: [], globs, exact: false };
}

function matchSuperset(schemes: number, host: string, port: string, path: string): Coverage {
  if (schemes === (WEB | FILE) && host === "*" && path === "*") {
    return { matches: ["<all_urls>"], globs: [], exact: true };
  }
  if (isWild(host)) {
    const ports = port === "" ? ["", ":*"] : [`:${port}`];
    return { matches: [], globs: hostGlobs(schemes, host, ports), exact: false };
  }
  const paths = rooted(path);
  const openings = schemes & FILE ? ["file://"] : [];
  if ((schemes & WEB) === WEB && port === "") openings.push(`*://${host}`);
  else openings.push(...hostedSchemes(schemes).map(([, name]) => `${name}://${host}${port && `:${port}`}`));
  return { matches: openings.flatMap((opening) => paths.map((p) => opening + p)), globs: [], exact: true };
}

function globSuperset(schemes: number, authority: string, written: string): Coverage {
  const [, host = "", port = ""] = /^(.*?)(:[\d*]+)?$/.exec(authority) ?? [];
  const isSuffix = /^\*\.[^*]*$/.test(host) && !isNumeric(host) && port !== ":*";
  if (authority !== "*" && authority.includes("*") && !isSuffix) {
    return { matches: [], globs: hostGlobs(schemes, host, [port]), exact: false };
  }
  const { path, exact } = caselessPath(written);
  return {
    matches: patterns(schemes, authority, path),
    globs: [],
    exact: exact && !isSuffix && !rooted(path).some(hasOptionalTail),
  };
}

/** Match patterns for an authority that is "*", a name or "*.name", with the scheme's own port when it has none. */
function patterns(schemes: number, authority: string, path: string): string[] {
  const paths = rooted(path);
  if (schemes & FILE) return paths.map((p) => `file://${p}`);
  if (authority === "*" && schemes === WEB) return paths.map((p) => `*://*${p}`);
  return hostedSchemes(schemes).flatMap(([, name, port]) => {
    const needsPort = authority !== "*" && !/:\d+$/.test(authority);
    return paths.map((p) => `${name}://${authority}${needsPort ? `:${port}` : ""}${p}`);
  });
}

/** Paths of match patterns begin with a slash; a wildcard at the start may stand for it, alone or with more. */
function rooted(path: string): string[] {
  if (path.startsWith("/")) return [path];
  const behind = path.slice(1);
  const withStar = collapseStars(`/${path}`);
  return behind.startsWith("/") ? [withStar, behind] : [withStar];
}

/** Globs for a host with wildcards that match patterns do not know. They cannot keep a wildcard within the host. */
function hostGlobs(schemes: number, host: string, ports: string[]): string[] {
  const ends = host.endsWith("*") ? [""] : ["", "."];
  const starts = host.startsWith("*") ? [""] : ["", "*@"];
  return hostedSchemes(schemes).flatMap(([, name, own]) =>
    starts.flatMap((start) =>
      ends.flatMap((end) =>
        // URLs do not show the scheme's own port.
        ports.map((port) =>
          collapseStars(`${name}://${start}${host}${end}${port === `:${own}` ? "" : port}/*`),
        ),
      ),
    ),
  );
}
