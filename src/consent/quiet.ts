import { SessionList } from "@/platform/session-list";
import type { SessionStorage } from "@/platform/session-storage";

interface QuietTime {
  /** A question or a subject. */
  key: string;
  until: number;
  strikes: number;
}

const FIRST_MS = 3_000;
const GROWTH = 3;
const LONGEST_MS = 10 * 60_000;
/** Refusals longer ago than this do not count any more. */
const FORGET_MS = 60 * 60_000;

/**
 * Who was refused, or not answered, is not put before the person again for a while, which grows threefold each time from 3 s to
 * 10 min: a script that asks in a loop nags nobody. Lasts until something is allowed, and at most as long as the browser runs.
 */
export class QuietTimes {
  readonly #list: SessionList<QuietTime>;

  constructor(
    session: SessionStorage,
    private readonly now: () => number,
  ) {
    this.#list = new SessionList(session, "consent.quiet");
  }

  /** Whether one of the keys is to be left in peace now. */
  async holds(...keys: string[]): Promise<boolean> {
    const now = this.now();
    return (await this.#list.read()).some(
      // Longer than any is: the clock was set back meanwhile.
      ({ key, until }) => until > now && until - now <= LONGEST_MS && keys.includes(key),
    );
  }

  /** Notes that the person did not want to answer these. */
  async strike(keys: readonly string[]): Promise<void> {
    const now = this.now();
    await this.#list.update((times) => {
      const next = new Map(
        times.filter(({ until }) => until + FORGET_MS > now).map((time) => [time.key, time]),
      );
      for (const key of keys) {
        const strikes = (next.get(key)?.strikes ?? 0) + 1;
        next.set(key, {
          key,
          strikes,
          until: now + Math.min(FIRST_MS * GROWTH ** (strikes - 1), LONGEST_MS),
        });
      }
      return [...next.values()];
    });
  }

  /** They may ask again. */
  async lift(...keys: string[]): Promise<void> {
    await this.#list.update((times) =>
      times.some(({ key }) => keys.includes(key)) ? times.filter(({ key }) => !keys.includes(key)) : times,
    );
  }

  async clear(): Promise<void> {
    await this.#list.update(() => []);
  }
}
