import { apply, SafeMap } from "./natives";
import type { Session } from "./session";
import { describeError } from "./session";

const { includes } = String.prototype;

/** Errors of one script sent per document; a script that throws in a loop must not flood the worker. */
const MAX_PER_SCRIPT = 50;

/**
 * Listens to this world's errors (the browser shows a world only its own) and gives each to the script that it came from:
 * by the script's address in the stack, or, for code that did not even parse, by the announcement before it.
 */
export class ErrorReporter {
  #reportSyntaxError: ((message: string) => void) | null = null;
  readonly #sent = new SafeMap<string, number>();

  /** @param sessions by any key */
  constructor(private readonly sessions: Pick<ReadonlyMap<unknown, Session>, "forEach">) {
    addEventListener("error", (event) => {
      // Only the browser's own events tell of errors; a neighbour in this world can dispatch what it likes.
      if (event.isTrusted) this.#onError(event);
    });
    addEventListener("unhandledrejection", (event) => {
      if (!event.isTrusted) return;
      const { message, stack } = describeError(event.reason);
      this.#report(this.#owner(stack) ?? this.#only(), `Unhandled rejection: ${message}`, stack);
    });
  }

  /** Who gets a syntax error of the code that evaluates next; null once that code runs. */
  expect(report: ((message: string) => void) | null): void {
    this.#reportSyntaxError = report;
  }

  #onError(event: ErrorEvent): void {
    const { message, stack } = event.error
      ? describeError(event.error)
      : { message: event.message, stack: undefined };
    const owner = this.#owner(stack ?? event.filename) ?? this.#owner(event.filename);
    if (owner) {
      this.#report(owner, message, stack);
      return;
    }
    if (this.#reportSyntaxError && contains(message, "SyntaxError")) {
      this.#reportSyntaxError(`${message} (line ${event.lineno}, column ${event.colno})`);
      this.#reportSyntaxError = null;
      return;
    }
    this.#report(this.#only(), message, stack);
  }

  /** Code that a script made with eval or Function has no address of its own; in a world of one script it is that script's. */
  #only(): Session | undefined {
    let count = 0;
    let only: Session | undefined;
    this.sessions.forEach((session) => {
      count += 1;
      only = session;
    });
    return count === 1 ? only : undefined;
  }

  #owner(stack: string | undefined): Session | undefined {
    let owner: Session | undefined;
    if (stack) {
      this.sessions.forEach((session) => {
        if (contains(stack, session.source)) owner ??= session;
      });
    }
    return owner;
  }

  #report(session: Session | undefined, message: string, stack: string | undefined): void {
    if (!session) return;
    const sent = (this.#sent.get(session.uuid) ?? 0) + 1;
    this.#sent.set(session.uuid, sent);
    if (sent <= MAX_PER_SCRIPT) session.sendError(message, stack);
  }
}

function contains(text: string, part: string): boolean {
  return apply(includes, text, [part]);
}
