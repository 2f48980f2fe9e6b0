import { NamedError } from "@/rpc/errors";

/** A userscript of more than this is not one; the largest known ones have about 5 MB. */
const MAX_BYTES = 20 * 1024 * 1024;

/**
 * Fetches a script's text for the install page. Follows redirects; `url` in the result is where it came from in the end.
 * Rejects with a sentence that says what to do.
 */
export async function fetchSource(url: string): Promise<{ code: string; url: string }> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new NamedError(
      "TypeError",
      `"${url}" is not a web address. It must begin with https:// or http://.`,
    );
  }
  let response: Response;
  try {
    response = await fetch(url, {
      cache: "no-store",
      credentials: "omit",
      signal: AbortSignal.timeout(30_000),
    });
  } catch (error) {
    const why =
      error instanceof DOMException && error.name === "TimeoutError"
        ? "did not answer within 30 seconds"
        : "could not be reached";
    throw new NamedError(
      "NetworkError",
      `${new URL(url).host} ${why}. Check the address and your connection.`,
      { cause: error },
    );
  }
  if (!response.ok) {
    throw new NamedError(
      "NetworkError",
      `${new URL(url).host} answered ${response.status} ${response.statusText}. Check the address.`,
    );
  }
  if (Number(response.headers.get("content-length") ?? 0) > MAX_BYTES) {
    throw new NamedError("NetworkError", "The file is larger than 20 MB, too large for a script.");
  }
  const code = await response.text();
  if (/^\s*<(!doctype|html)/i.test(code)) {
    throw new NamedError(
      "NetworkError",
      "The address shows a web page, not a script. Use the link to the raw file.",
    );
  }
  return { code, url: response.url };
}
