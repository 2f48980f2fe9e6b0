import type { MoggyDatabase } from "@/platform/db";
import type { KeyValueStorage } from "@/platform/storage";
import type { CallContext } from "@/rpc/caller";
import type { Handlers } from "@/rpc/contract";
import { follow } from "@/rpc/follow";
import type { LogContract } from "./contract";
import { maskEntry, maskText, rawEntry } from "./entry";
import { Intake } from "./intake";
import { type ReportFacts, reportText } from "./report";
import { KnownSecrets } from "./secrets";
import { LogStore } from "./store";
import type { LogInput, LogRow } from "./types";

export interface LogDeps {
  /** Asked for when the first error is written or the log is read, not before. */
  db(): MoggyDatabase;
  storage: KeyValueStorage;
  /** What a report says beside the entries. */
  facts(): Promise<ReportFacts>;
  /** Told how many errors there are that the person has not seen. */
  onUnseen(count: number): void;
  now(): number;
}

/** When the person last looked at the log: ms since the epoch. */
const SEEN_KEY = "log-seen";
/** A first error is written at once; those that follow it within this time are written together. */
const GATHER_MS = 1_000;
/** Entries that a report takes along. */
const IN_REPORT = 50;

/**
 * The one place for errors that concern the person and no caller. Adding never throws and is never waited for; secrets are masked
 * before anything is stored; a failure of the log itself goes to the console and nowhere else.
 */
export class LogService {
  /** Secrets to look for in what is stored. */
  readonly secrets = new KnownSecrets();
  readonly #deps: LogDeps;
  readonly #store: LogStore;
  readonly #intake = new Intake();
  readonly #listeners = new Set<() => void>();
  #writing: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(deps: LogDeps) {
    this.#deps = deps;
    this.#store = new LogStore(deps.db);
  }

  /** Writes an error down, soon. Also says it on the console, where whoever works on the code looks. */
  add(input: LogInput): void {
    const now = this.#deps.now();
    const entry = rawEntry(input, now);
    // One of a flood is not said either: the console keeps what it is given.
    if (this.#intake.add(entry)) this.#say(input);
    this.#schedule();
  }

  /** Resolves when all that was added before is stored, or could not be. */
  async settled(): Promise<void> {
    await this.#writing;
    if (this.#intake.isEmpty) return;
    this.#write();
    await this.#writing;
  }

  /** Says anew how much the person has not seen: at a start of the browser, which forgets badges. */
  async announce(): Promise<void> {
    this.#deps.onUnseen(await this.#store.countUnseen(await this.#seenAt()));
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#writing) return;
    const wait = Math.max(0, this.#writtenAt + GATHER_MS - this.#deps.now());
    if (wait === 0) this.#write();
    else this.#timer = setTimeout(() => this.#write(), wait);
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeWaiting().then((worked) => {
      this.#writing = null;
      // What failed waits for the next error: trying again by itself would make a loop of a broken database.
      if (worked && !this.#intake.isEmpty) this.#schedule();
    });
  }

  /** Never rejects; false when nothing could be stored. */
  async #writeWaiting(): Promise<boolean> {
    const now = this.#deps.now();
    this.#writtenAt = now;
    const rows = this.#intake.take(now);
    try {
      await this.#store.append(rows.map((row) => maskEntry(row, this.secrets)));
    } catch (error) {
      // Kept in memory for the next time; reporting it here would come back to this very place.
      this.#intake.giveBack(rows);
      console.error("The log could not be written:", error);
      return false;
    }
    this.#changed();
    try {
      await this.announce();
    } catch (error) {
      console.error("Unseen errors could not be counted:", error);
    }
    return true;
  }

  #say({ source, during, error, shown }: LogInput): void {
    // A page has said it on its own console.
    if (!shown && !source.startsWith("page:")) console.error(`${during} failed (${source}):`, error);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  async #seenAt(): Promise<number> {
    return (await this.#deps.storage.get<number>(SEEN_KEY)) ?? 0;
  }

  async #entries(): Promise<LogRow[]> {
    await this.#writing;
    return this.#store.newestFirst();
  }

  async #copyable(): Promise<string> {
    const [rows, facts] = await Promise.all([this.#entries(), this.#deps.facts()]);
    // Once more: a secret may have become known after an entry was stored.
    return maskText(reportText(facts, rows.slice(0, IN_REPORT), rows.length), this.secrets);
  }

  handlers(): Handlers<LogContract, CallContext> {
    return {
      entries: (_input, { signal }) =>
        follow(
          () => this.#entries(),
          (listener) => {
            this.#listeners.add(listener);
            return () => this.#listeners.delete(listener);
          },
          signal,
        ),
      report: async ({ source, during, name, message, stack, shown }) => {
        // Our own pages only speak for themselves.
        const from = source.startsWith("page:") ? source : `page:${source}`;
        this.add({ source: from, during, error: { name, message, stack }, ...(shown ? { shown } : {}) });
      },
      seen: async ({ at }) => {
        if (at > (await this.#seenAt())) await this.#deps.storage.set(SEEN_KEY, at);
        await this.announce();
      },
      clear: async () => {
        await this.settled();
        await this.#store.clear();
        this.#changed();
        await this.announce();
      },
      restore: async ({ rows }) => {
        await this.#store.restore(rows.map((row) => maskEntry(row, this.secrets)));
        this.#changed();
      },
      copyable: () => this.#copyable(),
    };
  }
}
