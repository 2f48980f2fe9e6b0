import { MASK, maskPatterns } from "./mask";
import type { KnownSecrets } from "./secrets";
import type { LogInput, LogRow } from "./types";

/** Characters of each field that are kept. */
const LONGEST = { source: 200, name: 100, during: 300, message: 2_000, stack: 8_000 };
/** Read beyond what is kept, so that a secret that lies across the cut is masked as a whole. */
const READ_ON = 2_000;

/** Takes secrets out of a text: those that are known, and all that looks like one. */
export function maskText(text: string, secrets: KnownSecrets): string {
  return maskPatterns(secrets.mask(text, MASK));
}

/** What is said of an error, before anything is masked: cheap, so that a flood of the same costs little. */
export type RawEntry = Omit<LogRow, "id" | "count">;

/** The words of whatever was thrown. Never throws: getters and proxies that do are said to be what they are. */
export function rawEntry({ source, during, error, level = "error", shown }: LogInput, at: number): RawEntry {
  const base = { at, level, source, during, ...(shown ? { shown } : {}) };
  try {
    if (!isErrorLike(error)) return { ...base, name: "Error", message: wordsOf(error) };
    const { name, message, stack } = error;
    const causes = causesOf(error);
    return {
      ...base,
      name: String(name || "Error"),
      message: String(message),
      ...(stack || causes ? { stack: `${stack ?? ""}${causes}` } : {}),
    };
  } catch {
    // Something hostile or broken was thrown; that it was is all there is to say.
    return { ...base, name: "Error", message: "Something that cannot be read was thrown." };
  }
}

/** The entry as it may be stored: secrets masked in every field, then cut. */
export function maskEntry<E extends RawEntry>(entry: E, secrets: KnownSecrets): E {
  const field = (text: string, longest: number): string => {
    const masked = maskText(beginning(text, longest + READ_ON), secrets);
    return masked.length > longest ? `${masked.slice(0, longest - 1).toWellFormed()}…` : masked;
  };
  return {
    ...entry,
    source: field(entry.source, LONGEST.source),
    name: field(entry.name, LONGEST.name),
    during: field(entry.during, LONGEST.during),
    message: field(entry.message, LONGEST.message),
    ...(entry.stack === undefined ? {} : { stack: field(entry.stack, LONGEST.stack) }),
  };
}

/** Whether two entries say the same, so that the second is only counted. */
export function saysTheSame(a: RawEntry, b: RawEntry): boolean {
  return (
    a.level === b.level &&
    a.source === b.source &&
    a.during === b.during &&
    a.name === b.name &&
    a.message === b.message
  );
}

/** The first `length` characters; a word that the cut would go through is left out, as it may be the beginning of a secret. */
function beginning(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, length).replace(/\S{1,500}$/, "");
}

function isErrorLike(value: unknown): value is { name?: unknown; message: unknown; stack?: string } {
  // Not only `instanceof Error`: DOMException, and errors of another realm.
  return typeof value === "object" && value !== null && "message" in value;
}

function causesOf(error: object): string {
  let text = "";
  let cause = (error as { cause?: unknown }).cause;
  for (let depth = 0; depth < 5 && cause !== undefined && cause !== null; depth += 1) {
    const stack = isErrorLike(cause) ? (cause.stack ?? wordsOf(cause.message)) : wordsOf(cause);
    text += `\nCaused by: ${stack}`;
    cause = isErrorLike(cause) ? (cause as { cause?: unknown }).cause : undefined;
  }
  return text;
}

function wordsOf(value: unknown): string {
  if (typeof value === "string") return value.trim() || "An empty text was thrown.";
  if (value === undefined || value === null)
    return "Nothing was thrown: there are no words for what happened.";
  return typeof value === "object" ? (JSON.stringify(value) ?? String(value)) : String(value);
}
