/**
 * The secrets that this worker has had in hand, for whoever masks texts. They are kept in memory only, and nothing is decrypted
 * to fill this: whoever decrypts or encrypts a secret tells it.
 */
export class SecretList {
  readonly #secrets = new Set<string>();

  /** Remembers a secret; of more than {@link MOST} the oldest is forgotten. */
  know(secret: string): void {
    this.#secrets.add(secret);
    for (const oldest of this.#secrets) {
      if (this.#secrets.size <= MOST) break;
      this.#secrets.delete(oldest);
    }
  }

  all(): ReadonlySet<string> {
    return this.#secrets;
  }
}

const MOST = 100;
