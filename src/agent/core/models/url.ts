/** Why a base URL cannot be used, in a sentence. */
export class BaseUrlError extends Error {
  override readonly name = "BaseUrlError";
}

const ENDPOINTS = /\/(chat\/completions|completions|messages)$/;

/**
 * The base URL in the one form that is stored and used: http(s), without credentials, query, fragment and trailing slash.
 * Nothing is added to it: a missing `/v1` is for the test button to find.
 * @throws BaseUrlError
 */
export function normalizeBaseUrl(text: string): string {
  const trimmed = text.trim();
  if (!trimmed) throw new BaseUrlError("The base URL is empty. Enter one such as https://api.openai.com/v1.");
  const url = URL.canParse(trimmed) ? new URL(trimmed) : null;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new BaseUrlError(
      `The base URL must begin with http:// or https://, such as http://localhost:11434/v1.`,
    );
  }
  if (/^[a-z]+:\/\/[^/?#]*@/i.test(trimmed)) {
    throw new BaseUrlError(
      "The base URL must not hold a user name or password. The key has a field of its own.",
    );
  }
  if (/[?#]/.test(trimmed)) {
    throw new BaseUrlError("The base URL must not have a part after “?” or “#”. Leave that part off.");
  }
  const path = url.pathname.replace(/\/+$/, "");
  const endpoint = ENDPOINTS.exec(path);
  if (endpoint) {
    throw new BaseUrlError(
      `The base URL ends in “${endpoint[0]}”, which is added by itself. Leave that part off.`,
    );
  }
  return `${url.origin}${path}`;
}
