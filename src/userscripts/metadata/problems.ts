/** How bad a problem is: the script is refused / a line does not do what it says / a remark for the author. */
export type Severity = "error" | "warning" | "info";

type Line = "key" | "pattern";

/**
 * Every problem that the metadata parser and the rule compiler report, with the names of its parameters. The words are in
 * `problem-messages.<locale>.ts`.
 */
export interface ProblemParams {
  "header.missing": never;
  "header.subscription": never;
  "header.malformed-delimiter": "found" | "expected";
  "header.unclosed": never;
  "header.name-missing": never;
  "header.trailing-text": "text";
  "header.no-space": "found";
  "header.duplicate": "first";
  "header.code": "text" | "count";
  "line.no-space": "key";
  "key.duplicate": "key" | "value";
  "key.case": "key" | "expected";
  "key.locale": "key";
  "value.missing": "key";
  "value.extra": "key" | "value" | "extra";
  "value.unknown": "key" | "value" | "allowed" | "used";
  "version.missing": never;
  "url.invalid": "key" | "value";
  "resource.incomplete": "value";
  "resource.duplicate": "name";
  "grant.none-with-others": "grants";
  "match.unsupported-scheme": Line | "scheme";
  "match.no-scheme": Line | "used";
  "match.no-path": Line | "used";
  "match.invalid-host": Line | "host";
  "match.invalid-port": Line | "port";
  "match.host-wildcard": Line;
  "match.bare-wildcard": Line;
  "match.regex": Line;
  "match.invalid-regex": Line | "reason";
  "match.not-a-url": Line;
  "match.anywhere": Line;
  "match.tld": Line;
  "match.fragment": Line | "used";
  "match.fragment-dropped": Line;
  "match.none": never;
  "match.all-dropped": never;
}

export type ProblemCode = keyof ProblemParams;

/** What is wrong with a script's metadata or rules; the message catalogue turns code and params into words. */
export interface Problem {
  severity: Severity;
  /** A ProblemCode; other parts of the product report codes of their own in the same shape. */
  code: string;
  message?: never;
  params: Record<string, string>;
  /** 1-based line of the source; 0 when the problem belongs to no line (such as a rule that a person added). */
  line: number;
}

const INFO: ReadonlySet<ProblemCode> = new Set([
  "header.trailing-text",
  "header.no-space",
  "line.no-space",
  "version.missing",
]);
const WARNING_IN_HEADER: ReadonlySet<ProblemCode> = new Set(["header.duplicate", "header.code"]);

/** Without a usable header there is no script; all else leaves one that runs. */
function severityOf(code: ProblemCode): Severity {
  if (INFO.has(code)) return "info";
  return code.startsWith("header.") && !WARNING_IN_HEADER.has(code) ? "error" : "warning";
}

/** Builds a problem; the compiler checks that all parameters of the code are given. */
export function problem<C extends ProblemCode>(
  code: C,
  line: number,
  params: Record<ProblemParams[C], string>,
): Problem {
  return { severity: severityOf(code), code, params, line };
}
