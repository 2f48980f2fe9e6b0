import type { FromGuest } from "../protocol";
import { CONSOLE_LEVELS, type ConsoleLevel, MOST_LINE_TEXT, type SandboxError } from "../types";

/** Reads what a guest says, whose code may be anybody's; null for what is nothing that a guest may say. */
export function readGuestMessage(data: unknown): FromGuest | null {
  if (typeof data !== "object" || data === null) return null;
  const { t, level, text, dropped, error, ok, value, n } = data as Record<string, unknown>;
  switch (t) {
    case "ready":
    case "connect":
    case "enter":
    case "leave":
      return { t };
    case "pong":
      return typeof n === "number" ? { t, n } : null;
    case "console":
      if (typeof text !== "string" || !CONSOLE_LEVELS.includes(level as ConsoleLevel)) return null;
      return {
        t,
        level: level as ConsoleLevel,
        text: text.slice(0, MOST_LINE_TEXT),
        dropped: typeof dropped === "number" && dropped > 0 ? Math.floor(dropped) : 0,
      };
    case "error":
      return { t, error: readError(error) };
    case "done":
      return ok === true ? { t, ok, value } : { t, ok: false, error: readError(error) };
    default:
      return null;
  }
}

function readError(error: unknown): SandboxError {
  const { name, message, stack, line } = (typeof error === "object" && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  const read: SandboxError = {
    name: cut(name, 200) || "Error",
    message: cut(message, 2000) || "Something was thrown that is not an error.",
  };
  if (typeof stack === "string") read.stack = cut(stack, 8000);
  if (typeof line === "number" && Number.isSafeInteger(line) && line > 0) read.line = line;
  return read;
}

function cut(text: unknown, most: number): string {
  return typeof text === "string" ? text.slice(0, most) : "";
}
