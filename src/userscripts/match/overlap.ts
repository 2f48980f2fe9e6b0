import type { CompiledRules } from "./compile";

interface Reach {
  /** Schemes, as a pattern writes them. */
  scheme: string;
  /** "*", "*.suffix" or a name. */
  host: string;
  /** "" is any. */
  port: string;
}

/**
 * Whether a document may match both rule sets. Conservative: false only when their hosts (or schemes, or ports) are
 * disjoint; paths and exclusions are not looked at.
 */
export function canMeet(a: CompiledRules, b: CompiledRules): boolean {
  const others = reaches(b);
  return reaches(a).some((reach) => others.some((other) => overlap(reach, other)));
}

function reaches({ registration }: CompiledRules): Reach[] {
  return [
    ...registration.matches.map((pattern) => {
      const found = /^([^:]+):\/\/(\[[^\]]*\]|[^/:]*)(?::([^/]*))?\//.exec(pattern);
      // Only <all_urls> has no such form.
      if (!found) return { scheme: "?", host: "*", port: "" };
      const [, scheme = "", host = "", port = ""] = found;
      return { scheme, host: scheme === "file" ? "*" : host, port };
    }),
    // A glob's wildcard may stand for anything after the scheme.
    ...registration.includeGlobs.map((glob) => ({
      scheme: glob.split(":", 1)[0] ?? "?",
      host: "*",
      port: "",
    })),
  ];
}

function overlap(a: Reach, b: Reach): boolean {
  return schemesMeet(a.scheme, b.scheme) && portsMeet(a.port, b.port) && hostsMeet(a.host, b.host);
}

function schemesMeet(a: string, b: string): boolean {
  if (a === b || a === "?" || b === "?") return true;
  return (a === "*" && b !== "file") || (b === "*" && a !== "file");
}

function portsMeet(a: string, b: string): boolean {
  return a === b || a === "" || b === "";
}

function hostsMeet(a: string, b: string): boolean {
  return a === b || within(a, b) || within(b, a);
}

/** True when hosts of `pattern` may be hosts of `wider`: the suffix of one ends with that of the other. */
function within(pattern: string, wider: string): boolean {
  if (wider === "*") return true;
  if (!wider.startsWith("*.")) return false;
  return `.${pattern.replace(/^\*\./, "")}`.endsWith(wider.slice(1));
}
