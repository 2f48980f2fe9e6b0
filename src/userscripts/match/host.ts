import { collapseStars } from "./rule-line";

/** Characters that the URL parser would accept but that end, or rewrite, a host. */
const NOT_HOST = /[\s@?#/\\%<>^|*:]/;

/**
 * A host name as URLs show it: lower case, IDNA to ASCII, IP addresses in their one form, no final dot.
 * @returns null when it is not a host name.
 */
function canonicalHost(host: string): string | null {
  const isIpv6 = /^\[[\da-f:.]+\]$/i.test(host);
  if (host === "" || (!isIpv6 && NOT_HOST.test(host)) || !URL.canParse(`http://${host}/`)) return null;
  return new URL(`http://${host}/`).hostname.replace(/\.$/, "") || null;
}

/**
 * A host of a rule, wildcards kept: "*", "*.name", "name", or a name with wildcards elsewhere (see isWild()).
 * @returns null when it is not one.
 */
export function canonicalHostPattern(text: string): string | null {
  const host = collapseStars(text);
  if (host === "*") return host;
  if (!host.includes("*")) return canonicalHost(host);
  if (host.startsWith("*.") && !host.includes("*", 1) && !isNumeric(host)) {
    const base = canonicalHost(host.slice(2));
    return base && `*.${base}`;
  }
  const labels = host.split(".").map((label) => {
    if (label.includes("*")) return /^[\w*-]+$/.test(label) ? label.toLowerCase() : null;
    // The final label keeps a number from being read as an IP address.
    return canonicalHost(`${label}.x`)?.slice(0, -2) ?? null;
  });
  return labels.includes(null) ? null : labels.join(".");
}

/** True for a host pattern with a wildcard that match patterns do not know. */
export function isWild(host: string): boolean {
  return host.replace(/^\*(?:\.|$)/, "").includes("*");
}

/** True when the last label is a number: only IP addresses are like that. */
export function isNumeric(host: string): boolean {
  return /(?:^|\.)\d+$/.test(host);
}

/** A port number in its one form; null when it is none. */
export function canonicalPort(text: string): string | null {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? String(port) : null;
}
