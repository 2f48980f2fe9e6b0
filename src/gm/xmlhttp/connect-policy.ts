import { NamedError } from "@/rpc/errors";
import { isLocalEnding, isLocalHost, plainHost } from "./address";

/** What decides where a script's requests may go. All of it comes from the worker's own records, nothing from the request. */
export interface ConnectPolicy {
  scriptName: string;
  /** The values of the script's @connect lines. */
  connects: readonly string[];
  /** Origin of the document in which the script runs; "null" for opaque ones. */
  pageOrigin: string;
  /** Whether two hosts belong to one registrable domain. */
  sameSite(a: string, b: string): Promise<boolean>;
}

/** What the policy says: it may go, or a person has to say so, for this effect and host. `why` ends a sentence. */
export type ConnectVerdict =
  | { allowed: true }
  | { allowed: false; effect: "connect" | "connect-private"; host: string; why: string };

/**
 * Where a request to `url` may go without asking. The page's own host is always allowed, as the page itself can be asked for that.
 * Hosts of @connect lines are allowed with their subdomains, ports do not count; `self` is the page's own host, `*` everything
 * public. Without any line, the page's own site is allowed. The person's own machine and network are reachable only as the
 * page's own host or where a line names the host itself, and asking for one of theirs is an effect of its own.
 * @throws PermissionDeniedError for addresses that nobody can allow
 */
export async function judgeConnect(url: URL, policy: ConnectPolicy): Promise<ConnectVerdict> {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new NamedError(
      "PermissionDeniedError",
      `"${policy.scriptName}" may not request ${shorten(url.href)}: only http: and https: addresses can be requested.`,
    );
  }
  const host = plainHost(url.hostname);
  const own = hostOfOrigin(policy.pageOrigin);
  if (own === host) return { allowed: true };
  const names = policy.connects.map((line) => hostOfLine(line, own));
  if (names.some((name) => name !== null && covers(name, host))) return { allowed: true };
  if (isLocalHost(url.hostname)) {
    const why = `${host} is on this computer or in its network, and such a host must be named by itself ("*" does not count)`;
    return { allowed: false, effect: "connect-private", host, why };
  }
  if (policy.connects.some((line) => line.trim() === "*")) return { allowed: true };
  if (policy.connects.length > 0) {
    return { allowed: false, effect: "connect", host, why: `${host} is not covered by its @connect lines` };
  }
  if (own !== null && (await policy.sameSite(own, host))) return { allowed: true };
  const why =
    own === null
      ? "it has no @connect line, and no page whose site it could reach"
      : `it has no @connect line, so it reaches only the site of its page (${own})`;
  return { allowed: false, effect: "connect", host, why };
}

/** A name covers itself and its subdomains; an address only itself, and so does a bare ending of local names, such as `lan`. */
function covers(name: string, host: string): boolean {
  return host === name || (!isAddress(name) && !isLocalEnding(name) && host.endsWith(`.${name}`));
}

function isAddress(host: string): boolean {
  return host.startsWith("[") || /^[\d.]+$/.test(host);
}

/** The host that a @connect line names, null for `*` and for what names none. Scheme, port, path and a leading `*.` are allowed. */
function hostOfLine(line: string, own: string | null): string | null {
  const text = line.trim().toLowerCase();
  if (text === "self") return own;
  if (text === "*" || text === "") return null;
  const bare = text.replace(/^[a-z][a-z0-9+.-]*:\/\//, "").replace(/^\*\./, "");
  const bracketed = /^[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*$/.test(bare) ? `[${bare}]` : bare;
  // The URL parser gives the one spelling that hosts of requests have: punycode, and addresses in their normal form.
  const candidate = `http://${bracketed}`;
  return URL.canParse(candidate) ? plainHost(new URL(candidate).hostname) : null;
}

function hostOfOrigin(origin: string): string | null {
  if (!URL.canParse(origin)) return null;
  const { hostname, protocol } = new URL(origin);
  return protocol === "http:" || protocol === "https:" ? plainHost(hostname) : null;
}

/** An address in words for people: not longer than a line or two. */
export function shorten(href: string): string {
  return href.length > 200 ? `${href.slice(0, 200)}…` : href;
}
