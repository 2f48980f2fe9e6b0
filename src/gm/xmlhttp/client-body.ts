import { NativeBlob, NativeTextDecoder, parseJson } from "../natives";
import type { ResponseType } from "./client-request";

/** The body of an answer as it comes in: text can be read along the way, everything else at the end. */
export interface ResponseBody {
  /** Bytes so far. */
  readonly loaded: number;
  /** Text so far; undefined for answers that are bytes. */
  readonly text: string | undefined;
  /** What `response` shows: text so far, or null until the end for everything else. */
  readonly value: unknown;
  push(part: Uint8Array<ArrayBuffer> | Blob): Promise<void>;
  /** The body is complete. */
  finish(): Promise<void>;
}

/** @param mime Content-Type, as the server or the script's override says */
export function responseBody(type: ResponseType | null | undefined, mime = ""): ResponseBody {
  const parts: BlobPart[] = [];
  let text = type === "arraybuffer" || type === "blob" ? undefined : "";
  let loaded = 0;
  let result: unknown = null;
  const charset = type === "json" ? null : /charset=["']?([^"';\s]+)/i.exec(mime);
  let decoder = new NativeTextDecoder();
  try {
    if (charset) decoder = new NativeTextDecoder(charset[1]);
  } catch {
    // A charset that does not exist counts as none (Encoding Standard, "get an encoding"), so it stays UTF-8.
  }

  return {
    get loaded() {
      return loaded;
    },
    get text() {
      return text;
    },
    get value() {
      return !type || type === "text" ? text : result;
    },
    async push(part) {
      const isBlob = part instanceof NativeBlob;
      loaded += isBlob ? part.size : part.byteLength;
      if (text === undefined) parts.push(part);
      else text += decoder.decode(isBlob ? await part.arrayBuffer() : part, { stream: true });
    },
    async finish() {
      if (text === undefined) {
        const whole = new NativeBlob(parts, { type: mime });
        result = type === "blob" ? whole : await whole.arrayBuffer();
        return;
      }
      text += decoder.decode();
      if (type !== "json") return;
      try {
        result = parseJson(text);
      } catch {
        // As XMLHttpRequest has it: what is no JSON leaves null, and the text tells why.
      }
    },
  };
}
