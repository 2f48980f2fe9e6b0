import type { LogInput, LogRow } from "./types";

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
