import type { ProblemLike, Translate } from "@/locales";
import type { MessageKey } from "@/locales/catalogue";
import { NamedError } from "@/rpc/errors";

/** An error in words: why it happened and what to do. What happened is said by the place that shows it. */
export interface Described {
  why: string;
  todo?: string;
}

/** Errors that every service may end with, by name; the words are in the catalogue under `error.<name>`. */
const KNOWN: Record<string, { why: MessageKey; todo: MessageKey }> = {
  DisconnectedError: { why: "error.disconnected", todo: "error.disconnected.todo" },
  ExtensionGoneError: { why: "error.gone", todo: "error.gone.todo" },
  TimeoutError: { why: "error.timeout", todo: "error.timeout.todo" },
  TooManyCallsError: { why: "error.tooMany", todo: "error.tooMany.todo" },
};

/** Says an error in the person's language where it is a known one, else in the words that it came with. */
export function describeError(t: Translate, error: Error): Described {
  const known = KNOWN[error.name];
  if (known) return { why: t.any(known.why), todo: t.any(known.todo) };
  if (error instanceof NamedError && error.name === "InstallRefusedError" && Array.isArray(error.data)) {
    const problems = (error.data as ProblemLike[]).filter(({ severity }) => severity === "error");
    if (problems.length > 0) return { why: problems.map((problem) => t.problem(problem)).join(" ") };
  }
  return { why: error.message.trim() || t("error.unknown") };
}

/** The same in one line, for a toast: "The script was not removed: <why>". */
export function errorLine(t: Translate, what: string, error: Error): string {
  return t("error.line", { what, why: describeError(t, error).why });
}
