/**
 * Errors that cross a context boundary. Only `name`, `message`, `code` and plain `data` travel; a stack never does,
 * since it would show internals to a script.
 */
export interface WireError {
  name: string;
  message: string;
  /** A stable machine-readable code, such as `rate_limit`, where the API has one. */
  code?: string;
  /** Structured-cloneable detail, such as the response that a failed request still had. */
  data?: unknown;
}

/** An error with the name, code and data that the far side shall see. */
export class NamedError extends Error {
  readonly code?: string;
  readonly data?: unknown;
  constructor(name: string, message: string, extra: { code?: string; data?: unknown; cause?: unknown } = {}) {
    super(message, extra);
    this.name = name;
    this.code = extra.code;
    this.data = extra.data;
  }
}

/**
 * Whether an error is one of these, of any bundle: the worker is several, each with a class of its own, so `instanceof` knows only
 * those of the bundle it stands in.
 */
export function isNamedError(error: unknown): error is NamedError {
  return error instanceof Error && "code" in error && "data" in error;
}

/** The connection ended while a call was in flight, so whether it took effect is not known. */
export class DisconnectedError extends NamedError {
  constructor(what: string) {
    super(
      "DisconnectedError",
      `The extension restarted during "${what}". Whether it took effect is not known; call it again.`,
    );
  }
}

/** The extension itself is gone (removed, disabled or updated under the page): no reconnecting will help. */
export class ExtensionGoneError extends NamedError {
  constructor() {
    super("ExtensionGoneError", "Moggy was updated, disabled or removed. Reload this page to go on.");
  }
}

export function toWireError(error: unknown): WireError {
  if (error instanceof Error) {
    const wire: WireError = { name: error.name, message: error.message };
    if (isNamedError(error)) {
      if (error.code !== undefined) wire.code = error.code;
      if (error.data !== undefined) wire.data = error.data;
    }
    return wire;
  }
  return {
    name: "Error",
    message: typeof error === "string" ? error : "Something that is not an error was thrown.",
  };
}

export function fromWireError(wire: WireError): NamedError {
  return new NamedError(wire.name, wire.message, { code: wire.code, data: wire.data });
}

/** The error that a cancelled call or stream ends with; `reason` wins when it is an Error already. */
export function abortError(reason?: unknown): Error {
  return reason instanceof Error ? reason : new NamedError("AbortError", "The operation was aborted.");
}
