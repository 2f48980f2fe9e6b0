import type { SandboxError } from "../types";

const NO_WORDS = "Something was thrown that has no words.";

/** What was thrown, in a form that crosses, with the frames and the line of the code's own sources. Never throws. */
export function describe(thrown: unknown, sources: readonly string[]): SandboxError {
  try {
    return read(thrown, sources);
  } catch {
    // Its getters, its traps or what the code put in place of our natives threw: what it is cannot be known, only that it is there.
    return { name: "Error", message: NO_WORDS };
  }
}

function read(thrown: unknown, sources: readonly string[]): SandboxError {
  if (typeof thrown !== "object" || thrown === null || !("message" in thrown)) {
    return { name: "Error", message: text(thrown) };
  }
  const { name, message, stack } = thrown as { name?: unknown; message: unknown; stack?: unknown };
  const error: SandboxError = {
    name: typeof name === "string" && name !== "" ? name : "Error",
    message: text(message),
  };
  if (typeof stack !== "string") return error;
  const own = stack.split("\n").filter((line) => sources.some((source) => line.includes(source)));
  if (own.length > 0) error.stack = own.join("\n").slice(0, 8000);
  const line = lineOf(own[0] ?? "");
  if (line !== undefined) error.line = line;
  return error;
}

/** The line in a stack frame such as `at f (name.js:3:5)`. */
function lineOf(frame: string): number | undefined {
  const found = /:(\d+):\d+\)?$/.exec(frame.trim());
  return found ? Number(found[1]) : undefined;
}

function text(value: unknown): string {
  try {
    return String(value).slice(0, 2000);
  } catch {
    // An object whose own toString throws has nothing else to say.
    return NO_WORDS;
  }
}
