/** What a model host says of a failure, in its own words. */
export interface VendorError {
  text: string;
  /** The vendor's kind of error, such as `overloaded_error`. */
  type?: string;
  /** The vendor's code, such as `context_length_exceeded`; numbers as text. */
  code?: string;
  /** An HTTP status that the body itself names. */
  status?: number;
}

/**
 * Reads the body of a failed response, whatever its shape: OpenAI and Anthropic (`error.message`), Ollama (`error` as text),
 * vLLM (`object: "error"`), FastAPI (`detail`), Google (a list of one), or a bare `message`. Null when it says nothing.
 */
export function vendorErrorOf(body: unknown): VendorError | null {
  if (Array.isArray(body)) return body.length > 0 ? vendorErrorOf(body[0]) : null;
  if (!isRecord(body)) return null;
  const { error, detail, errors } = body;
  if (typeof error === "string" && error) return withKind(error, body);
  if (isRecord(error)) return withKind(textOf(error.message) ?? JSON.stringify(error), error);
  const text = textOf(body.message) ?? textOf(detail) ?? textOf(errors) ?? textOf(body.msg);
  return text === undefined ? null : withKind(text, body);
}

/** Like {@link vendorErrorOf}, but only for what cannot be a part of an answer: to be used on the frames of a stream. */
export function streamErrorOf(frame: Record<string, unknown>, eventName?: string): VendorError | null {
  const { error } = frame;
  const isError =
    (typeof error === "string" && error !== "") ||
    (isRecord(error) && Object.keys(error).length > 0) ||
    frame.object === "error" ||
    frame.type === "error" ||
    eventName === "error";
  if (!isError) return null;
  return vendorErrorOf(frame) ?? { text: JSON.stringify(frame) };
}

function withKind(text: string, source: Record<string, unknown>): VendorError {
  const found: VendorError = { text: text.trim() };
  const { type, code, status } = source;
  if (typeof type === "string") found.type = type;
  if (typeof code === "string" || typeof code === "number") found.code = String(code);
  const named = [code, status].map(Number).find((n) => Number.isInteger(n) && n >= 400 && n <= 599);
  if (named !== undefined) found.status = named;
  return found;
}

/** The text in a string, or in a list of strings or of objects that have a message (FastAPI's `detail`). */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim() ? value : undefined;
  if (Array.isArray(value)) {
    const parts = value.map((item) => (isRecord(item) ? textOf(item.message ?? item.msg) : textOf(item)));
    const text = parts.filter((part) => part !== undefined).join("; ");
    return text || undefined;
  }
  return isRecord(value) ? textOf(value.message ?? value.msg) : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
