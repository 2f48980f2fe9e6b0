import { has, SafeMap } from "@/gm/natives";
import type { Session } from "./session";
import { describeError } from "./session";

/** Errors of one script sent per document; a script that throws in a loop must not flood the worker. */
const MAX_PER_SCRIPT = 50;

/**
 * Listens to this world's errors (the browser shows a world only its own) and gives each to the script that it came from:
 * by the script's address in the stack, or, for code that did not even parse, by the announcement before it.
 * @param sessions by any key
 * @returns says who gets a syntax error of the code that evaluates next; null once that code runs
 */
export function reportErrors(
  sessions: Pick<ReadonlyMap<unknown, Session>, "forEach" | "size">,
): (expected: ((message: string) => void) | null) => void {
  let reportSyntaxError: ((message: string) => void) | null = null;
  const counts = new SafeMap<string, number>();

  addEventListener("error", (event) => {
    // Only the browser's own events tell of errors; a neighbour in this world can dispatch what it likes.
    if (!event.isTrusted) return;
    const { error, filename } = event;
    const { message, stack } = error ? describeError(error) : { message: event.message, stack: undefined };
    const owner = ownerOf(stack ?? filename) ?? ownerOf(filename);
    if (!owner && reportSyntaxError && has(message, "SyntaxError")) {
      reportSyntaxError(`${message} (line ${event.lineno}, column ${event.colno})`);
      reportSyntaxError = null;
    } else report(owner, message, stack);
  });
  addEventListener("unhandledrejection", (event) => {
    if (!event.isTrusted) return;
    const { message, stack } = describeError(event.reason);
    report(ownerOf(stack), `Unhandled rejection: ${message}`, stack);
  });

  return (expected) => {
    reportSyntaxError = expected;
  };

  function ownerOf(stack: string | undefined): Session | undefined {
    let owner: Session | undefined;
    if (stack) {
      sessions.forEach((session) => {
        if (has(stack, session.source)) owner ??= session;
      });
    }
    return owner;
  }

  function report(owner: Session | undefined, message: string, stack: string | undefined): void {
    let session = owner;
    // Code that a script made with eval or Function has no address of its own; in a world of one script it is that script's.
    if (sessions.size === 1)
      sessions.forEach((only) => {
        session ??= only;
      });
    if (!session) return;
    const count = (counts.get(session.uuid) ?? 0) + 1;
    counts.set(session.uuid, count);
    if (count <= MAX_PER_SCRIPT) session.sendError(message, stack);
  }
}
