/**
 * Whether a host name, as `URL.hostname` gives it (lower case, IPv4 in decimal dots, IPv6 compressed in brackets), lies in the person's
 * own machine or network by itself: special-use addresses of IANA's registries (RFC 6890 and later) and special-use names
 * (RFC 6761, 6762, 8375, and those that ICANN keeps for private use), and names of one label, which no public name is. What other
 * names resolve to cannot be seen from here.
 */
export function isLocalHost(hostname: string): boolean {
  if (hostname.startsWith("[")) return isLocalV6(expandV6(hostname.slice(1, -1)));
  const v4 = parseV4(hostname);
  if (v4 !== null) return isLocalV4(v4);
  const labels = plainHost(hostname).split(".");
  const last = labels.at(-1) ?? "";
  return labels.length === 1 || LOCAL_ENDS.has(last) || labels.slice(-2).join(".") === "home.arpa";
}

/** A host name without the dot that marks it as absolute: one host, one spelling. */
export function plainHost(hostname: string): string {
  return hostname.replace(/\.$/, "");
}

/** An ending below which each network has its own hosts: it names none of them. Everything below `localhost` is this computer. */
export function isLocalEnding(hostname: string): boolean {
  return /^(home\.)?arpa$/.test(hostname) || (hostname !== "localhost" && LOCAL_ENDS.has(hostname));
}

const LOCAL_ENDS = new Set(["localhost", "local", "internal", "lan", "home", "corp"]);

/** The 32 bits of a dotted address, null when the name is none. The URL parser has already turned every other spelling into this. */
function parseV4(hostname: string): number | null {
  const parts = plainHost(hostname).split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part))) return null;
  return parts.reduce((bits, part) => bits * 256 + Number(part), 0);
}

/** Address and prefix length of each range that is not public. */
const LOCAL_V4: ReadonlyArray<readonly [string, number]> = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  // Multicast, reserved and broadcast.
  ["224.0.0.0", 3],
];

function isLocalV4(bits: number): boolean {
  return LOCAL_V4.some(([base, length]) => {
    const size = 2 ** (32 - length);
    return Math.floor(bits / size) === Math.floor((parseV4(base) ?? 0) / size);
  });
}

/** The eight groups of a compressed address. */
function expandV6(text: string): number[] {
  const [head = "", tail] = text.split("::");
  const groups = (part: string) =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  return [...before, ...new Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after];
}

function isLocalV6(groups: number[]): boolean {
  const at = (i: number) => groups[i] ?? 0;
  const v4At = (i: number) => isLocalV4(at(i) * 65536 + at(i + 1));
  const zeros = (upTo: number) => groups.slice(0, upTo).every((group) => group === 0);
  // An IPv4 address in one of its IPv6 forms reaches what the IPv4 address reaches.
  if (zeros(5) && (at(5) === 0xffff || at(5) === 0)) return v4At(6);
  if (zeros(4) && at(4) === 0xffff && at(5) === 0) return v4At(6);
  if (at(0) === 0x64 && at(1) === 0xff9b) return at(2) === 1 || v4At(6);
  if (at(0) === 0x2002) return v4At(1);
  // Teredo hides the client's address inverted; nothing public is served over it.
  if (at(0) === 0x2001 && at(1) === 0) return true;
  const first = at(0);
  // Unique local fc00::/7, link-local fe80::/10, site-local fec0::/10, multicast ff00::/8.
  return first >> 9 === 0x7e || first >> 6 === 0x3fa || first >> 6 === 0x3fb || first >> 8 === 0xff;
}
