import type { Keepalive } from "@/platform/keepalive";
import type { CallOptions, Client } from "@/rpc/contract";
import { NamedError } from "@/rpc/errors";
import { bytesInWords } from "./errors";
import { type FileStoreContract, type fileMethods, REPEATABLE } from "./store/contract";
import { type FilePlace, type FileStat, type FileUsage, MAX_PART_BYTES, type WrittenFile } from "./types";

/** What a file can be made of. Text is written as UTF-8; a stream is taken as fast as it can be written. */
export type FileContent = string | Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;

export interface FileServiceDeps {
  store: Client<FileStoreContract>;
  keepalive: Pick<Keepalive, "hold">;
  id(): string;
}

/** Text longer than this is to be read as a Blob or in parts. */
export const MAX_TEXT_BYTES = 32 * 1024 * 1024;

/** The file store as services of the worker use it. Rejects with the errors of ./errors.ts. */
export class FileService {
  readonly #deps: FileServiceDeps;

  constructor(deps: FileServiceDeps) {
    this.#deps = deps;
  }

  /** The store's own calls, sent again where that does no harm. The worker is kept alive meanwhile. */
  get store(): Client<FileStoreContract> {
    const { store } = this.#deps;
    return { ...store, call: (method, input, options) => this.#call(method, input, options) };
  }

  /** Writes a whole file: the old content stays until all of the new one is there. */
  async write(place: FilePlace, content: FileContent, op = this.#deps.id()): Promise<WrittenFile> {
    if (content instanceof ReadableStream) return this.#writeStream(place, content, op);
    return this.store.call("write", { op, place, content: portable(content) });
  }

  /** Adds to the end of a file, or makes it. */
  async append(place: FilePlace, content: Exclude<FileContent, ReadableStream>): Promise<WrittenFile> {
    return this.store.call("append", { op: this.#deps.id(), place, content: portable(content) });
  }

  /** A copy of the file, whatever becomes of it. */
  read(place: FilePlace): Promise<Blob> {
    return this.store.call("read", { place });
  }

  /** A file as text; what is not UTF-8 in it comes as U+FFFD. @throws NamedError TooLargeError over {@link MAX_TEXT_BYTES} */
  async readText(place: FilePlace): Promise<{ text: string; size: number }> {
    const blob = await this.read(place);
    if (blob.size > MAX_TEXT_BYTES) {
      throw new NamedError(
        "TooLargeError",
        `“${place.path}” has ${bytesInWords(blob.size)}, which is too much to read as one text. Read it as a Blob.`,
      );
    }
    return { text: await blob.text(), size: blob.size };
  }

  /** The file as a stream, of which no more is in memory than the reader takes. Errors with FileChangedError when it is changed meanwhile. */
  readStream(place: FilePlace): ReadableStream<Uint8Array<ArrayBuffer>> {
    let offset = 0;
    let version: string | undefined;
    return new ReadableStream(
      {
        pull: async (controller) => {
          const part = await this.store.call("range", { place, offset, length: MAX_PART_BYTES, version });
          version = part.version;
          offset += part.bytes.length;
          if (part.bytes.length > 0) controller.enqueue(part.bytes);
          if (offset >= part.size || part.bytes.length === 0) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  }

  stat(place: FilePlace): Promise<FileStat> {
    return this.store.call("stat", { place });
  }

  list(place: FilePlace): Promise<FileStat[]> {
    return this.store.call("list", { place });
  }

  move(from: FilePlace, to: FilePlace, overwrite = false): Promise<void> {
    return this.store.call("move", { op: this.#deps.id(), from, to, overwrite });
  }

  /** A file, or a folder with all that is in it. */
  delete(place: FilePlace, op = this.#deps.id()): Promise<void> {
    return this.store.call("delete", { op, place });
  }

  usage(): Promise<FileUsage> {
    return this.store.call("usage", {});
  }

  /** Deletes everything. */
  clear(): Promise<void> {
    return this.store.call("clear", {});
  }

  async #writeStream(
    place: FilePlace,
    stream: ReadableStream<Uint8Array<ArrayBuffer>>,
    op: string,
  ): Promise<WrittenFile> {
    const { store } = this;
    const reader = stream.getReader();
    try {
      await store.call("begin", { op, place });
      let offset = 0;
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        await store.call("part", { op, offset, content: portable(value) });
        offset += value.length;
      }
      return await store.call("commit", { op });
    } catch (error) {
      // What is told is why it failed; what is left of it is given up by the store itself after a while.
      await Promise.allSettled([store.call("abort", { op }), reader.cancel(error)]);
      throw error;
    }
  }

  readonly #call: Client<FileStoreContract>["call"] = async (method, input, options: CallOptions = {}) => {
    const release = this.#deps.keepalive.hold(`files.${method}`);
    try {
      const repeatable = REPEATABLE.has(method as keyof typeof fileMethods);
      return await this.#deps.store.call(method, input, { repeatable, ...options });
    } finally {
      release();
    }
  };
}

/** Content as it travels: bytes are copied at each step of the way, so what is large goes as a Blob, by reference. */
function portable(content: string | Blob | Uint8Array<ArrayBuffer>): Blob | Uint8Array<ArrayBuffer> {
  if (content instanceof Blob) return content;
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return bytes.length > MAX_PART_BYTES ? new Blob([bytes]) : bytes;
}
