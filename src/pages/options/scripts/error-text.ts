import type { ScriptError } from "@/userscripts/types";

/**
 * A stack as the script's author knows it: files by their names, without the frames of the runtime around the script.
 * (Scripts have the source URL `moggy-script:///<uuid>/<name>.user.js`, the runtime `moggy-runtime:///…`.)
 */
export function readableStack(stack: string): string {
  return stack
    .split("\n")
    .filter((line) => !line.includes("moggy-runtime:///"))
    .map((line) => line.replace(/moggy-script:\/\/\/[\w-]+\/([^\s:)]*)/g, (_, name: string) => decoded(name)))
    .join("\n");
}

/** The name of a file as its author wrote it, who has no need of the escapes of an address. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // A page can write into the log of its scripts: what is no address stays as it is.
    return name;
  }
}

/** An error as one would paste it into a bug report. */
export function errorText({ at, name, message, stack, url }: ScriptError): string {
  const head = [`${name}: ${message}`, new Date(at).toISOString(), url].filter(Boolean).join("\n");
  return stack ? `${head}\n${readableStack(stack)}` : head;
}

/**
 * The line of the script's own source that an error came from: the topmost frame of the stack, which has the form
 * `at name (file:line:column)` or `at file:line:column`. Null when the stack has none.
 */
export function lineOf({ stack }: ScriptError): number | null {
  const found = /^\s*at .*?:(\d+):\d+\)?\s*$/m.exec(stack ?? "");
  return found ? Number(found[1]) : null;
}
