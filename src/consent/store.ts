import type { MoggyDatabase } from "@/platform/db";
import { SerialQueue } from "@/platform/serial-queue";
import { Listeners } from "@/rpc/listeners";
import type { ConsentRow, ConsentSubject } from "./types";

/** The time of last use is for people: written no oftener than this. */
const USED_EVERY_MS = 60_000;

/** The remembered decisions: a table, read once per start of the worker when something first asks, and kept in memory. */
export class ConsentStore {
  #rows: Promise<Map<string, ConsentRow>> | null = null;
  readonly #changes = new SerialQueue();
  readonly #listeners = new Listeners();

  constructor(
    private readonly db: Pick<MoggyDatabase, "consents">,
    private readonly now: () => number,
    private readonly report: (during: string, error: unknown) => void,
  ) {}

  async find(id: string): Promise<ConsentRow | undefined> {
    return (await this.#load()).get(id);
  }

  /** Newest first. */
  async list(): Promise<ConsentRow[]> {
    return [...(await this.#load()).values()].sort((a, b) => b.decidedAt - a.decidedAt);
  }

  /** Stores decisions, all or none; resolves once they are stored. */
  put(rows: readonly ConsentRow[]): Promise<void> {
    return this.#changes.run(async () => {
      const known = await this.#load();
      await this.db.consents.bulkPut([...rows]);
      for (const row of rows) known.set(row.id, row);
      this.#listeners.tell();
    });
  }

  /** Forgets decisions. @returns those that were there */
  remove(ids: readonly string[]): Promise<ConsentRow[]> {
    return this.#changes.run(async () => {
      const known = await this.#load();
      const rows = ids.flatMap((id) => known.get(id) ?? []);
      if (rows.length === 0) return rows;
      await this.db.consents.bulkDelete(rows.map((row) => row.id));
      for (const row of rows) known.delete(row.id);
      this.#listeners.tell();
      return rows;
    });
  }

  /** Forgets all that was decided about a subject. @returns those decisions */
  async removeSubject(subject: ConsentSubject): Promise<ConsentRow[]> {
    const rows = (await this.list()).filter((row) => row.subject === subject);
    return this.remove(rows.map((row) => row.id));
  }

  /** Notes that a decision was used. Resolves at once: when that was is worth no waiting. */
  used(row: ConsentRow): void {
    const usedAt = this.now();
    if (row.usedAt !== undefined && usedAt - row.usedAt < USED_EVERY_MS) return;
    // At once, so that the next use does not write as well.
    row.usedAt = usedAt;
    this.#changes
      .run(async () => {
        await this.db.consents.update(row.id, { usedAt });
        this.#listeners.tell();
      })
      .catch((error: unknown) => this.report("Storing when a decision was last used", error));
  }

  /** Runs `listener` after each change; returns what stops that. */
  readonly onChange = this.#listeners.add;

  /** Forgets what was read, after the table was erased from outside. */
  reset(): void {
    this.#rows = null;
    this.#listeners.tell();
  }

  #load(): Promise<Map<string, ConsentRow>> {
    this.#rows ??= this.db.consents.toArray().then(
      (rows) => new Map(rows.map((row) => [row.id, row])),
      (error: unknown) => {
        // The next call reads again.
        this.#rows = null;
        throw error;
      },
    );
    return this.#rows;
  }
}
