import { ModelError, type ResolvedModel } from "../types";
import { readInBandError } from "../wire/in-band";
import { type Failure, modelError, parseJson } from "./model-failure";
import { isRecord } from "./vendor-error";

/** Links of a chain of causes that are followed; packages wrap an error once or twice. */
const MAX_DEPTH = 8;

/** The ModelError in, or made of, whatever a provider package threw or reported. */
export function toModelError(error: unknown, model: ResolvedModel): ModelError {
  let current = error;
  for (let depth = 0; depth < MAX_DEPTH && current !== undefined && current !== null; depth += 1) {
    if (current instanceof ModelError) return current;
    const failure = failureIn(current);
    if (failure) return modelError(failure, model);
    current = current instanceof Error ? current.cause : undefined;
  }
  return modelError({ failure: "server", said: describe(error) }, model);
}

/** One of our own frames, as the package reports it: by itself, or as the body of an error that it makes of a first frame. */
function failureIn(value: unknown): Failure | null {
  const own = readInBandError(value);
  if (own) return own;
  const { responseBody } = isRecord(value) ? value : {};
  return typeof responseBody === "string" ? readInBandError(parseJson(responseBody)) : null;
}

function describe(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (isRecord(error) && typeof error.message === "string") return error.message;
  return typeof error === "string" ? error : "something that is no error was reported";
}
