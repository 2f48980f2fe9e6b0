import { NamedError } from "@/rpc/errors";

/** A userscript of more than this is not one; the largest known ones have about 5 MB. */
const MAX_BYTES = 20 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/**
 * Fetches a script's text for the install page. Follows redirects; `url` in the result is where it came from in the end.
 * Rejects with a sentence that says what to do.
 */
export async function fetchSource(
  url: string,
  request: typeof fetch,
): Promise<{ code: string; url: string }> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new NamedError(
      "TypeError",
      `"${url}" is not a web address. It must begin with https:// or http://.`,
    );
  }
  const { code, finalUrl } = await load(url, request);
  if (/^\s*<(!doctype|html)/i.test(code)) {
    throw new NamedError(
      "NetworkError",
      "The address shows a web page, not a script. Use the link to the raw file.",
    );
  }
  return { code, url: finalUrl };
}

async function load(url: string, request: typeof fetch): Promise<{ code: string; finalUrl: string }> {
  const { host } = new URL(url);
  try {
    const response = await request(url, {
      cache: "no-store",
      credentials: "omit",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) {
      throw new NamedError(
        "NetworkError",
        `${host} answered ${response.status} ${response.statusText}. Check the address.`,
      );
    }
    return { code: await readText(response), finalUrl: response.url };
  } catch (error) {
    if (error instanceof NamedError) throw error;
    const late = error instanceof DOMException && error.name === "TimeoutError";
    const why = late
      ? `did not send the file within ${TIMEOUT_MS / 1000} seconds`
      : "could not be reached, or the connection was cut";
    throw new NamedError("NetworkError", `${host} ${why}. Check the address and your connection.`, {
      cause: error,
    });
  }
}

/** The body as text (UTF-8). What a server says about its size need not be true, so it is counted as it comes. */
async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  // Leaving the loop, by an error too, ends the transfer.
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > MAX_BYTES) {
      throw new NamedError("NetworkError", "The file is larger than 20 MB, too large for a script.");
    }
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}
