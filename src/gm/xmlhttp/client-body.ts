import { NativeBlob, NativeTextDecoder, parseJson } from "../natives";
import type { ResponseType } from "./client-request";

/** The body of an answer as it comes in: text can be read along the way, everything else at the end. */
export class ResponseBody {
  readonly #type: ResponseType;
  readonly #mime: string;
  readonly #parts: BlobPart[] = [];
  readonly #decoder: TextDecoder;
  #result: unknown = null;
  /** Text so far; undefined for answers that are bytes. */
  text: string | undefined;
  loaded = 0;

  /** @param mime Content-Type, as the server or the script's override says */
  constructor(type: ResponseType | null | undefined, mime = "") {
    this.#type = type ?? "";
    this.#mime = mime;
    if (type !== "arraybuffer" && type !== "blob") this.text = "";
    const charset = type === "json" ? null : /charset=["']?([^"';\s]+)/i.exec(mime);
    let decoder = new NativeTextDecoder();
    try {
      if (charset) decoder = new NativeTextDecoder(charset[1]);
    } catch {
      // A charset that does not exist counts as none (Encoding Standard, "get an encoding"), so it stays UTF-8.
    }
    this.#decoder = decoder;
  }

  async push(part: Uint8Array<ArrayBuffer> | Blob): Promise<void> {
    const isBlob = part instanceof NativeBlob;
    this.loaded += isBlob ? part.size : part.byteLength;
    if (this.text === undefined) this.#parts.push(part);
    else this.text += this.#decoder.decode(isBlob ? await part.arrayBuffer() : part, { stream: true });
  }

  /** What `response` shows: text so far, or null until the end for everything else. */
  get value(): unknown {
    return this.#type === "" || this.#type === "text" ? this.text : this.#result;
  }

  /** The body is complete. */
  async finish(): Promise<void> {
    if (this.text === undefined) {
      const whole = new NativeBlob(this.#parts, { type: this.#mime });
      this.#result = this.#type === "blob" ? whole : await whole.arrayBuffer();
      return;
    }
    this.text += this.#decoder.decode();
    if (this.#type !== "json") return;
    try {
      this.#result = parseJson(this.text);
    } catch {
      // As XMLHttpRequest has it: what is no JSON leaves null, and the text tells why.
    }
  }
}
