// @ts-check

/** An end that was foreseen: the message is all that a person needs, a stack trace would only hide it. */
export class Stop extends Error {
  /** @param {string} message what happened, why, and what to do */
  constructor(message) {
    super(message);
    this.name = "Stop";
  }
}

/**
 * Prints an error for a person: words alone for a {@link Stop}, the stack as well for anything unforeseen.
 * @param {unknown} error
 */
export function printError(error) {
  if (error instanceof Stop) console.error(`\n${error.message}`);
  else console.error("\nThis should not have happened; please report it with the lines below.\n", error);
}
