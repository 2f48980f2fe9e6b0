import * as z from "zod/mini";
import { contract, stream } from "@/rpc/contract";

export const httpRequest = z.object({
  /** Absolute. */
  url: z.string(),
  method: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  /** A Blob crosses without its bytes being copied, so a body may be of any size. */
  body: z.nullable(z.union([z.string(), z.instanceof(Blob)])),
  /** Content-Type of the body, unless the script sets one. */
  bodyType: z.optional(z.string()),
  /** Without cookies. */
  anonymous: z.boolean(),
  user: z.optional(z.string()),
  password: z.optional(z.string()),
  cache: z.enum(["default", "no-cache", "no-store"]),
});

export type HttpRequest = z.infer<typeof httpRequest>;

/**
 * First, how things stand: `asking` while a person is asked, with whether anything was sent before, and `sent` once something is about
 * to be. Then the head of the answer, once, then its body in parts of any size.
 */
export type HttpPart =
  | { type: "asking"; sent: boolean }
  | { type: "sent" }
  | {
      type: "head";
      status: number;
      statusText: string;
      /** `name: value` lines, each ending with CRLF. */
      headers: string;
      /** After redirects, with fragment. */
      url: string;
      /** Size of the body, 0 when it is not known beforehand. */
      total: number;
    }
  | { type: "body"; part: Uint8Array | Blob };

export const xmlhttpContract = contract("gm.xmlhttp", "script", {
  /** Ends after the body; rejects with NetworkError, PermissionDeniedError (`@connect`), ConsentWaitingError or TypeError. */
  request: stream(httpRequest, ["GM_xmlhttpRequest", "GM.xmlHttpRequest", "fetch"]).yields<HttpPart>(),
});

export type XmlhttpContract = typeof xmlhttpContract;
