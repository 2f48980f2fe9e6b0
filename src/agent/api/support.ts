import { NamedError } from "@/rpc/errors";

// As it was before any script of this world ran.
export const { parse, stringify } = JSON;

/**
 * A member of the API that this version does not have. It is there, so that a script learns why from a sentence and not from
 * "undefined is not a function".
 */
export function unsupported(what: string): () => Promise<never> {
  return () => Promise.reject(notSupported(what));
}

export function notSupported(what: string): NamedError {
  return new NamedError("NotSupportedError", `This version of Moggy does not support ${what} yet.`);
}

/** A random id. `crypto.randomUUID` is missing on pages that came over plain http. */
export function newId(): string {
  let id = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) id += (byte + 256).toString(16).slice(1);
  return id;
}
