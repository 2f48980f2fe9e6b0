import type { ServerResponse } from "node:http";

/**
 * Writes stream frames to a response. With `sizes`, the bytes are cut at those sizes, taken in turn, without regard to
 * frames or UTF-8 sequences; each piece is its own HTTP chunk, so a client's reader sees it apart.
 */
export class SseSink {
  readonly #res: ServerResponse;
  readonly #sizes: number[];
  #turn = 0;
  #held: Buffer = Buffer.alloc(0);

  constructor(res: ServerResponse, sizes?: number | number[]) {
    this.#res = res;
    this.#sizes = sizes === undefined ? [] : Array.isArray(sizes) ? sizes : [sizes];
    const bad = this.#sizes.find((size) => !Number.isInteger(size) || size < 1);
    if (bad !== undefined) throw new Error(`chunking.bytes must be whole numbers of 1 or more, got ${bad}`);
  }

  /** Writes frames; waits while the client reads too slowly. Bytes that do not fill a piece are held back. */
  async write(frames: string[]): Promise<void> {
    if (this.#sizes.length === 0) {
      for (const frame of frames) await this.#put(frame);
      return;
    }
    this.#held = Buffer.concat([this.#held, Buffer.from(frames.join(""), "utf8")]);
    for (;;) {
      const size = this.#sizes[this.#turn % this.#sizes.length] ?? 1;
      if (this.#held.length < size) return;
      this.#turn += 1;
      const piece = this.#held.subarray(0, size);
      this.#held = this.#held.subarray(size);
      await this.#put(piece);
    }
  }

  /** Sends what was held back. */
  async flush(): Promise<void> {
    if (this.#held.length === 0) return;
    const rest = this.#held;
    this.#held = Buffer.alloc(0);
    await this.#put(rest);
  }

  async #put(bytes: string | Buffer): Promise<void> {
    if (this.#res.destroyed) return;
    if (this.#res.write(bytes)) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#res.off("drain", done);
        this.#res.off("close", done);
        resolve();
      };
      this.#res.once("drain", done);
      this.#res.once("close", done);
    });
  }
}
