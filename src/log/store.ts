import type { MoggyDatabase } from "@/platform/db";
import { saysTheSame } from "./entry";
import { type LogRow, MOST_ENTRIES } from "./types";

/** The entries in the database. */
export class LogStore {
  constructor(private readonly db: MoggyDatabase) {}

  /** Appends entries, oldest first; one that says the same as the newest before it is added to its count. */
  async append(rows: readonly LogRow[]): Promise<void> {
    const { log } = this.db;
    await this.db.transaction("rw", log, async () => {
      for (const row of rows) {
        const newest = await log.orderBy(":id").last();
        if (newest?.id !== undefined && saysTheSame(newest, row)) {
          const { shown: _, ...told } = newest;
          // Told of only when they were told of each time.
          const both = newest.shown && row.shown ? { shown: true } : {};
          await log.put({ ...told, ...both, at: row.at, count: newest.count + row.count });
        } else await log.add(row);
      }
      await this.#trim();
    });
  }

  async #trim(): Promise<void> {
    const { log } = this.db;
    const over = (await log.count()) - MOST_ENTRIES;
    if (over > 0) await log.bulkDelete(await log.orderBy(":id").limit(over).primaryKeys());
  }

  /** Newest first. */
  newestFirst(most = MOST_ENTRIES): Promise<LogRow[]> {
    return this.db.log.orderBy(":id").reverse().limit(most).toArray();
  }

  /** How many errors there are later than `at` that nobody was told of. */
  countUnseen(at: number): Promise<number> {
    return this.db.log
      .where("at")
      .above(at)
      .filter(({ level, shown }) => level === "error" && !shown)
      .count();
  }

  async clear(): Promise<void> {
    await this.db.log.clear();
  }

  /** Puts entries back under their own ids, which keeps their order. */
  async restore(rows: readonly LogRow[]): Promise<void> {
    const { log } = this.db;
    await this.db.transaction("rw", log, async () => {
      await log.bulkPut([...rows]);
      await this.#trim();
    });
  }
}
