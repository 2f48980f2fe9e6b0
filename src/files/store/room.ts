import type { NamedError } from "@/rpc/errors";
import { diskFull, quotaExceeded } from "../errors";
import type { FileSystem } from "./opfs";

/** A quota that fell below this share of what it was shows that the disk filled up. */
const SHRUNK = 0.9;

/**
 * How much may be stored, and why no more. Measured in Chromium 156: with `unlimitedStorage` the quota is what is used and what the
 * disk has free, so it falls while others fill the disk; a write that finds no room throws QuotaExceededError, or, when the
 * disk has not a byte left, InvalidStateError.
 */
export class Room {
  readonly #files: FileSystem;
  #mostQuota = 0;

  constructor(files: FileSystem) {
    this.#files = files;
  }

  /** Looks how much there is, to compare later. */
  async look(): Promise<{ usage: number; quota: number }> {
    const { usage, quota } = await this.#files.estimate();
    this.#mostQuota = Math.max(this.#mostQuota, quota);
    return { usage, quota };
  }

  /** Whether bytes more would go over the quota, as it is now. */
  async isFullFor(bytes: number): Promise<boolean> {
    const { usage, quota } = await this.look();
    return usage + bytes >= quota;
  }

  /** The error of a write that found no room: the extension has all that it may have, or others have filled the disk. */
  async errorFor(path: string, bytes: number): Promise<NamedError> {
    const { usage, quota } = await this.look();
    const isQuota = usage + bytes >= quota && quota >= this.#mostQuota * SHRUNK;
    return isQuota ? quotaExceeded(path, usage, quota) : diskFull(path, usage);
  }
}
