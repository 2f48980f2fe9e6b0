/** A place that is locked. Paths are whole, area included. */
export interface Lock {
  path: string;
  /** Shared ones get along with each other; an exclusive one with nothing. */
  mode: "shared" | "exclusive";
  /** Everything below too. */
  subtree?: boolean;
}

interface Request {
  locks: readonly Lock[];
  granted: boolean;
  grant: () => void;
}

/**
 * Locks on paths, in the order of asking: a request waits for every earlier one that it does not get along with, granted or not, so
 * that nobody starves. All locks of a request are granted at once, so that two requests never wait for each other.
 */
export class LockTable {
  readonly #requests = new Set<Request>();

  /** @returns the function that releases them; calling that again does nothing */
  acquire(...locks: Lock[]): Promise<() => void> {
    return new Promise((resolve) => {
      const request: Request = {
        locks,
        granted: false,
        grant: () => {
          request.granted = true;
          resolve(() => this.#release(request));
        },
      };
      this.#requests.add(request);
      if (!this.#isBlocked(request)) request.grant();
    });
  }

  /** Runs a job under locks. */
  async with<T>(locks: Lock[], job: () => Promise<T>): Promise<T> {
    const release = await this.acquire(...locks);
    try {
      return await job();
    } finally {
      release();
    }
  }

  #release(request: Request): void {
    if (!this.#requests.delete(request)) return;
    for (const waiting of this.#requests) {
      if (!waiting.granted && !this.#isBlocked(waiting)) waiting.grant();
    }
  }

  #isBlocked(request: Request): boolean {
    for (const earlier of this.#requests) {
      if (earlier === request) return false;
      if (request.locks.some((lock) => earlier.locks.some((other) => conflict(lock, other)))) return true;
    }
    return false;
  }
}

function conflict(a: Lock, b: Lock): boolean {
  if (a.mode === "shared" && b.mode === "shared") return false;
  return a.path === b.path || covers(a, b.path) || covers(b, a.path);
}

function covers(lock: Lock, path: string): boolean {
  return lock.subtree === true && (lock.path === "" || path.startsWith(`${lock.path}/`));
}
