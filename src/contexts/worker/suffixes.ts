import { getDomain } from "tldts-icann";

/** What suffixes.js leaves for core.js: the list of public suffixes, too large for every start of the worker. */
export interface Suffixes {
  /** The registrable domain of a host name (`a.example.co.uk` → `example.co.uk`), null for IP addresses and bare suffixes. */
  registrableDomain(host: string): string | null;
}

declare global {
  var moggySuffixes: Suffixes | undefined;
}

globalThis.moggySuffixes = { registrableDomain: (host) => getDomain(host) };
