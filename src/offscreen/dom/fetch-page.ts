import { NamedError } from "@/rpc/errors";
import { type FetchedPage, MOST_HTML } from "./contract";
import { toMarkdown } from "./markdown";

/** Bytes that are read of an answer. */
const MOST_BYTES = 20 * 1024 * 1024;
/** Bytes in which a page has to say its encoding (HTML standard, prescan of a byte stream). */
const PRESCAN = 1024;

/** See the contract. @param get the fetch by which addresses are asked */
export async function fetchPage(
  get: typeof fetch,
  input: { url: string; mode: "article" | "page"; maxChars: number },
  signal: AbortSignal,
): Promise<FetchedPage> {
  const response = await get(input.url, {
    headers: { accept: "text/html,application/xhtml+xml,application/json,text/*;q=0.9,*/*;q=0.5" },
    signal,
  });
  const contentType = response.headers.get("content-type") ?? "";
  const [kind = ""] = contentType.split(";");
  const head = { url: response.url, status: response.status, contentType };
  if (!isText(kind)) {
    await response.body?.cancel();
    throw new NamedError(
      "NotTextError",
      `${response.url} is ${kind || "of no stated type"}, which cannot be read as text.`,
    );
  }
  const bytes = await readUpTo(response, MOST_BYTES);
  const text = decode(bytes, contentType);
  if (!/html/i.test(kind)) {
    const cutText = text.slice(0, input.maxChars).toWellFormed();
    return { ...head, text: cutText, truncated: text.length > input.maxChars, length: text.length };
  }
  const page = toMarkdown({
    html: text.slice(0, MOST_HTML),
    url: response.url,
    mode: input.mode,
    maxChars: input.maxChars,
  });
  const { markdown, ...about } = page;
  return { ...head, ...about, text: markdown };
}

function isText(kind: string): boolean {
  return /^(text\/|application\/([\w.+-]*\+)?(json|xml)\b|application\/(xhtml|javascript|ecmascript|yaml|toml))/i.test(
    kind.trim() || "text/plain",
  );
}

async function readUpTo(response: Response, most: number): Promise<Uint8Array> {
  if (!response.body) return new Uint8Array();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const part of response.body) {
    parts.push(part);
    size += part.byteLength;
    // Leaving the loop ends the transfer.
    if (size >= most) break;
  }
  return new Blob(parts).slice(0, most).bytes();
}

/** By the header, else by what the page says of itself, else UTF-8. */
function decode(bytes: Uint8Array, contentType: string): string {
  const named = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? declared(bytes);
  return decoder(named).decode(bytes);
}

function declared(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, PRESCAN));
  return /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(start)?.[1];
}

function decoder(label: string | undefined): TextDecoder {
  try {
    return new TextDecoder(label ?? "utf-8");
  } catch {
    // A name that is no encoding: most such pages are UTF-8.
    return new TextDecoder();
  }
}
