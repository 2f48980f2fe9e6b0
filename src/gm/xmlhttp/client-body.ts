import { NativeBlob, NativeResponse, NativeTextDecoder, parseJson } from "../natives";
import type { ResponseType } from "./client-request";

type Part = Uint8Array<ArrayBuffer> | Blob;

/** The body of an answer as it comes in: text can be read along the way, everything else at the end. */
export class ResponseBody {
  readonly #parts: Part[] = [];
  readonly #decoder: TextDecoder;
  #text = "";
  /** Parts that are in `#text` already. */
  #decoded = 0;
  #result: unknown = null;
  loaded = 0;

  /** @param mime Content-Type, as the server or the script's override says */
  constructor(
    private readonly type: ResponseType = "",
    private readonly mime = "",
  ) {
    const charset = /charset=["']?([^"';\s]+)/i.exec(mime);
    let decoder = new NativeTextDecoder();
    try {
      if (charset && type !== "json") decoder = new NativeTextDecoder(charset[1]);
    } catch {
      // A charset that does not exist counts as none (Encoding Standard, "get an encoding"), so it stays UTF-8.
    }
    this.#decoder = decoder;
  }

  push(part: Part): void {
    this.#parts.push(part);
    this.loaded += part instanceof NativeBlob ? part.size : part.byteLength;
  }

  /** Text so far; undefined for answers that are bytes. */
  get text(): string | undefined {
    if (this.#isBytes) return undefined;
    for (let part = this.#parts[this.#decoded]; part; part = this.#parts[++this.#decoded]) {
      // A Blob cannot be read at once; what follows it comes with the end.
      if (part instanceof NativeBlob) break;
      this.#text += this.#decoder.decode(part, { stream: true });
    }
    return this.#text;
  }

  /** What `response` shows: text so far, or null until the end for everything else. */
  get value(): unknown {
    return this.type === "" || this.type === "text" ? this.text : this.#result;
  }

  /** The body is complete. */
  async finish(): Promise<void> {
    const whole = () => new NativeBlob(this.#parts, { type: this.mime });
    if (this.type === "blob") this.#result = whole();
    else if (this.type === "arraybuffer") this.#result = await new NativeResponse(whole()).arrayBuffer();
    else {
      for (const part of this.#parts.splice(this.#decoded)) {
        const bytes = part instanceof NativeBlob ? await part.arrayBuffer() : part;
        this.#text += this.#decoder.decode(bytes, { stream: true });
      }
      this.#text += this.#decoder.decode();
      if (this.type === "json") {
        try {
          this.#result = parseJson(this.#text);
        } catch {
          // As XMLHttpRequest has it: what is no JSON is null, and the text tells why.
          this.#result = null;
        }
      }
    }
  }

  get #isBytes(): boolean {
    return this.type === "arraybuffer" || this.type === "blob";
  }
}
