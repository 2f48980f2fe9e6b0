import { NamedError } from "@/rpc/errors";
import { writeLost } from "../errors";
import type { FilePlace, WrittenFile } from "../types";
import type { Content, FileChanges } from "./changes";
import type { StoreCore } from "./core";
import type { TempFile } from "./temp";
import { writeContent } from "./write-all";

/** Time without a part after which a write in parts is given up: whoever sent them is gone. */
const IDLE_MS = 5 * 60_000;
/** Writes in parts that may be under way at once, each of which holds a file open. */
const MOST = 64;

interface Session {
  place: FilePlace;
  temp: TempFile;
  /** Settles when the part before is written: parts are written one after the other. */
  tail: Promise<unknown>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Writes that come in parts, by the name that their caller gave them. */
export class WriteSessions {
  readonly #core: StoreCore;
  readonly #changes: FileChanges;
  readonly #sessions = new Map<string, Session>();

  constructor(core: StoreCore, changes: FileChanges) {
    this.#core = core;
    this.#changes = changes;
  }

  async begin(op: string, place: FilePlace): Promise<void> {
    if (this.#sessions.size >= MOST) {
      throw new NamedError(
        "TooManyWritesError",
        `${MOST} files are being written in parts already. Wait for some to end.`,
      );
    }
    const session = {
      place,
      temp: await this.#changes.begin(place),
      tail: Promise.resolve(),
      timer: undefined,
    };
    this.#sessions.set(op, session);
    this.#rest(op, session);
  }

  /** @returns the bytes so far */
  async part(op: string, offset: number, content: Content): Promise<{ size: number }> {
    const session = this.#get(op);
    clearTimeout(session.timer);
    const job = session.tail.then(() => this.#write(session, offset, content));
    session.tail = job;
    try {
      await job;
    } catch (error) {
      await this.abort(op);
      throw error;
    }
    this.#rest(op, session);
    return { size: session.temp.size };
  }

  async commit(op: string): Promise<WrittenFile> {
    const session = this.#get(op);
    await session.tail;
    this.#forget(op);
    return this.#changes.commit(session.place, session.temp);
  }

  async abort(op: string): Promise<void> {
    const session = this.#sessions.get(op);
    this.#forget(op);
    await session?.temp.discard();
  }

  #write(session: Session, offset: number, content: Content): Promise<void> {
    const { place, temp } = session;
    const size = content instanceof Blob ? content.size : content.length;
    const job = async () => {
      // Sent again because its answer was lost.
      if (offset + size <= temp.size) return;
      if (offset !== temp.size) {
        throw new NamedError(
          "WriteOrderError",
          `A part was sent for byte ${offset}, but ${temp.size} bytes are there. Send the parts in order; begin the write again.`,
        );
      }
      temp.size += await writeContent(temp.access, content, offset, place.path);
    };
    return this.#core.at(place, job, { bytes: size });
  }

  #get(op: string): Session {
    const session = this.#sessions.get(op);
    if (!session) throw writeLost();
    return session;
  }

  #forget(op: string): void {
    clearTimeout(this.#sessions.get(op)?.timer);
    this.#sessions.delete(op);
  }

  #rest(op: string, session: Session): void {
    clearTimeout(session.timer);
    session.timer = setTimeout(() => void this.abort(op), IDLE_MS);
  }
}
