import { canonicalHostPattern, canonicalPort } from "./host";
import { type RuleLine, report } from "./rule-line";
import { HTTP, HTTPS } from "./runtime-test";

/** Schemes whose URLs have a host: bit, name, own port (which URLs do not show). */
const HOSTED = [
  [HTTP, "http", "80"],
  [HTTPS, "https", "443"],
] as const;
export const WEB = HTTP | HTTPS;

/** Those of them that are in a scheme mask. */
export function hostedSchemes(schemes = WEB) {
  return HOSTED.filter(([bit]) => schemes & bit);
}

export interface Authority {
  /** As canonicalHostPattern() gives it. */
  host: string;
  /** A number, "*" or undefined when none is written. */
  port: string | undefined;
}

/**
 * Reads the host[:port] of a rule.
 * @returns null, with a problem reported, when it cannot be used.
 */
export function readAuthority(rule: RuleLine, authority: string): Authority | null {
  const [, written = "", portText] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(authority) ?? [];
  // Other managers read this ending as "any public suffix".
  if (/\.tld\.?$/i.test(written)) {
    report(rule, "match.tld", {});
    return null;
  }
  const host = canonicalHostPattern(written);
  if (!host) {
    report(rule, "match.invalid-host", { host: authority });
    return null;
  }
  const port = portText === undefined || portText === "*" ? portText : canonicalPort(portText);
  if (port === null) {
    report(rule, "match.invalid-port", { port: portText ?? "" });
    return null;
  }
  return { host, port };
}
