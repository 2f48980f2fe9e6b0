/**
 * How a script in the page's own world, where chrome.* does not exist, reaches the relay beside it. Both are there before the
 * page's first script. The script says a name that it makes up for this document; from then on the two speak by events of that
 * name, which nobody else knows. The relay stops listening for the opening word before the page can say it.
 * What passes is errors only: were a page to learn the name (it can patch a realm before we are in it), it could add lines to a log.
 */
export const HANDSHAKE_EVENT = "moggy:hello";

/** A made-up event name. Not of randomUUID(), which pages that came over plain http do not have. */
export function newChannel(): string {
  return `moggy-${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
}

export interface PageHello {
  /** The made-up event name. */
  channel: string;
  uuid: string;
}

export interface PageError {
  message: string;
  stack?: string;
}
