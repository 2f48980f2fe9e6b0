import { NamedError } from "@/rpc/errors";
import { need } from "../forms";
import { entriesOf, isView, keysOf, NativeBlob, NativeResponse, NativeURL, tagOf } from "../natives";
import type { HttpRequest } from "./contract";
import { isForbiddenHeader } from "./headers";

export type ResponseType = "" | "text" | "json" | "arraybuffer" | "blob";

/** What a script passes; everything is checked, since scripts are not. */
export interface Details extends Record<string, unknown> {
  url: unknown;
  headers?: Record<string, unknown> | null;
  responseType?: ResponseType | null;
}

/** Characters of a text body that go as they are. */
const MOST_TEXT = 4 * 1024 * 1024;
const TYPES = ",text,json,arraybuffer,blob".split(",");
/** Options of other managers that change what happens, and that are not built: using one must not go unnoticed. */
const UNSUPPORTED = "cookie,cookiePartition,redirect,binary,upload,proxy".split(",");

/**
 * Checks what a script passed.
 * @throws TypeError for what is wrong, NotSupportedError for what this version cannot do, by name
 */
export function checkDetails(details: unknown): asserts details is Details {
  need(
    typeof details === "object" && details !== null && "url" in details,
    "xmlhttpRequest takes an object with a url.",
  );
  const { responseType, headers, data } = details as Details;
  const unsupported =
    UNSUPPORTED.find((option) => (details as Details)[option]) ??
    (TYPES.includes(responseType ?? "") ? undefined : `responseType "${responseType}"`) ??
    (tagOf(data) === "ReadableStream" ? "data as a stream" : undefined) ??
    keysOf(headers ?? {}).find(isForbiddenHeader);
  if (unsupported !== undefined) {
    throw new NamedError(
      "NotSupportedError",
      `xmlhttpRequest: ${unsupported} is not supported by this version of Moggy.`,
    );
  }
}

/** Relative addresses are relative to the page, as for its own requests; in the sandbox there is none. @throws TypeError when it is no address */
export function absoluteUrl(url: unknown): string {
  return new NativeURL(`${url}`, globalThis.document?.baseURI).href;
}

/** The request as it goes to the worker, with the body in a form that crosses as it is. */
export async function toRequest(details: Details): Promise<HttpRequest> {
  const text = (value: unknown) => (value === undefined || value === null ? undefined : `${value}`);
  const { url, method, headers, data, user, password } = details;
  return {
    url: absoluteUrl(url),
    method: `${method ?? "GET"}`,
    headers: entriesOf(headers ?? {}).map(([name, value]) => [name, `${value}`]),
    ...(await encodeBody(data ?? null)),
    anonymous: !!details.anonymous,
    user: text(user),
    password: text(password),
    cache: details.nocache ? "no-store" : details.revalidate ? "no-cache" : "default",
  };
}

/** What fetch would send for it, with its Content-Type. */
async function encodeBody(data: unknown): Promise<Pick<HttpRequest, "body" | "bodyType">> {
  if (data === null) return { body: null };
  if (typeof data !== "object") {
    const text = `${data}`;
    // A message between contexts carries only so much; a Blob is not carried in it.
    const body = text.length > MOST_TEXT ? new NativeBlob([text]) : text;
    return { body, bodyType: "text/plain;charset=UTF-8" };
  }
  const kind = tagOf(data);
  need(
    isView(data) || /^(Blob|File|FormData|URLSearchParams|ArrayBuffer)$/.test(kind),
    `xmlhttpRequest cannot send a value of type ${kind} as data. For JSON, pass JSON.stringify(data).`,
  );
  const response = new NativeResponse(data as BodyInit);
  return { body: await response.blob(), bodyType: response.headers.get("content-type") ?? undefined };
}
