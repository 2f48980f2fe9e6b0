import type { MoggyDatabase } from "@/platform/db";
import { SerialQueue } from "@/platform/serial-queue";
import { NamedError } from "@/rpc/errors";
import { Listeners } from "@/rpc/listeners";
import type { ScriptMetadata } from "./metadata";
import type { ScriptError, ScriptHead } from "./types";

/** Errors kept per script; older ones make room. */
const MAX_ERRORS = 100;

interface Installation {
  code: string;
  metadata: ScriptMetadata;
  sourceUrl?: string;
  enabled?: boolean;
}

/**
 * The installed scripts: a table of heads, read once per start of the worker, and their code, read when needed. A change reads what
 * is there and writes it anew, so changes are made one after the other, however many windows ask at once.
 */
export class ScriptRegistry {
  readonly #db: MoggyDatabase;
  readonly #now: () => number;
  #heads: Promise<Map<string, ScriptHead>> | null = null;
  #loaded: Map<string, ScriptHead> | null = null;
  readonly #listeners = new Listeners();
  readonly #changes = new SerialQueue();

  constructor(db: MoggyDatabase, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  /** Runs after each change of a script or of its errors. Returns a function that stops it. */
  readonly onChange = this.#listeners.add;

  /** All installed scripts in order of execution, without those in the bin. */
  async list(): Promise<ScriptHead[]> {
    const heads = await this.#load();
    return [...heads.values()]
      .filter((head) => head.removedAt === undefined)
      .sort((a, b) => a.position - b.position);
  }

  async get(uuid: string): Promise<ScriptHead | undefined> {
    const head = (await this.#load()).get(uuid);
    return head?.removedAt === undefined ? head : undefined;
  }

  /** The script as it is at this moment, if it is installed and enabled; undefined before anything was read. */
  running(uuid: string): ScriptHead | undefined {
    const head = this.#loaded?.get(uuid);
    return head?.enabled && head.removedAt === undefined ? head : undefined;
  }

  /** Rejects with NotFoundError. */
  async require(uuid: string): Promise<ScriptHead> {
    const head = await this.get(uuid);
    if (!head) throw new NamedError("NotFoundError", "This script is not installed any more.");
    return head;
  }

  async code(uuid: string): Promise<string> {
    return (await this.#db.codes.get(uuid))?.code ?? "";
  }

  async findByIdentity(identity: string): Promise<ScriptHead | undefined> {
    return (await this.list()).find((head) => head.identity === identity);
  }

  async findByToken(token: string): Promise<ScriptHead | undefined> {
    return (await this.list()).find((head) => head.token === token);
  }

  /** Stores a new script at the end, or new code for the script of the same name and namespace, which keeps the rest. */
  install(input: Installation): Promise<ScriptHead> {
    return this.#changes.run(() => this.#install(input));
  }

  async #install(input: Installation): Promise<ScriptHead> {
    const { code, metadata, sourceUrl, enabled } = input;
    const identity = identityOf(metadata);
    const existing = await this.findByIdentity(identity);
    const now = this.#now();
    const head: ScriptHead = existing
      ? { ...existing, name: metadata.name, metadata, updatedAt: now }
      : {
          uuid: crypto.randomUUID(),
          identity,
          name: metadata.name,
          metadata,
          enabled: true,
          position: (await this.#lastPosition()) + 1,
          token: randomToken(),
          overrides: {},
          installedAt: now,
          updatedAt: now,
        };
    if (sourceUrl !== undefined) head.sourceUrl = sourceUrl;
    if (enabled !== undefined) head.enabled = enabled;
    await this.#db.transaction("rw", this.#db.scripts, this.#db.codes, async () => {
      await this.#db.scripts.put(head);
      await this.#db.codes.put({ uuid: head.uuid, code });
    });
    await this.#replace(head);
    return head;
  }

  update(uuid: string, patch: Partial<Pick<ScriptHead, "enabled" | "overrides">>): Promise<ScriptHead> {
    return this.#changes.run(async () => {
      const head = { ...(await this.require(uuid)), ...patch };
      await this.#db.scripts.put(head);
      await this.#replace(head);
      return head;
    });
  }

  /** Puts a script into the bin: it no longer counts as installed, but can be restored until {@link emptyBin}. */
  remove(uuid: string): Promise<void> {
    return this.#changes.run(async () => {
      const head: ScriptHead = { ...(await this.require(uuid)), removedAt: this.#now() };
      await this.#db.scripts.put(head);
      await this.#replace(head);
    });
  }

  /** Rejects with NotFoundError when the bin was emptied, ConflictError when the script was installed anew. */
  restore(uuid: string): Promise<ScriptHead> {
    return this.#changes.run(() => this.#restore(uuid));
  }

  async #restore(uuid: string): Promise<ScriptHead> {
    const binned = (await this.#load()).get(uuid);
    if (!binned)
      throw new NamedError("NotFoundError", "The removed script is gone for good. Install it again.");
    if (await this.findByIdentity(binned.identity)) {
      throw new NamedError("ConflictError", `A script named "${binned.name}" was installed in the meantime.`);
    }
    const { removedAt: _, ...head } = binned;
    await this.#db.scripts.put(head);
    await this.#replace(head);
    return head;
  }

  /**
   * Deletes what is in the bin.
   * @param deleteRest deletes what else belongs to a script; before the script itself, so that a death in between leaves it in the
   * bin for the next time
   */
  emptyBin(deleteRest: (uuid: string) => Promise<void>): Promise<void> {
    return this.#changes.run(() => this.#emptyBin(deleteRest));
  }

  async #emptyBin(deleteRest: (uuid: string) => Promise<void>): Promise<void> {
    const heads = await this.#load();
    const gone = [...heads.values()].filter((head) => head.removedAt !== undefined).map((head) => head.uuid);
    if (gone.length === 0) return;
    for (const uuid of gone) await deleteRest(uuid);
    await this.#db.transaction("rw", this.#db.scripts, this.#db.codes, this.#db.scriptErrors, async () => {
      await this.#db.scripts.bulkDelete(gone);
      await this.#db.codes.bulkDelete(gone);
      await this.#db.scriptErrors.where("uuid").anyOf(gone).delete();
    });
    for (const uuid of gone) heads.delete(uuid);
  }

  /** Gives the scripts the order of `uuids`; scripts not named keep their place after them. */
  reorder(uuids: readonly string[]): Promise<void> {
    return this.#changes.run(() => this.#reorder(uuids));
  }

  async #reorder(uuids: readonly string[]): Promise<void> {
    const current = await this.list();
    const rank = new Map(uuids.map((uuid, index) => [uuid, index]));
    const ordered = [...current].sort(
      (a, b) =>
        (rank.get(a.uuid) ?? uuids.length) - (rank.get(b.uuid) ?? uuids.length) || a.position - b.position,
    );
    const moved = ordered.map((head, index) => ({ ...head, position: index + 1 }));
    await this.#db.scripts.bulkPut(moved);
    const heads = await this.#load();
    for (const head of moved) heads.set(head.uuid, head);
    this.#changed();
  }

  async recordError(error: Omit<ScriptError, "at">): Promise<void> {
    const { scriptErrors } = this.#db;
    await this.#db.transaction("rw", scriptErrors, async () => {
      await scriptErrors.add({ ...error, at: this.#now() });
      const ids = (await scriptErrors.where("uuid").equals(error.uuid).primaryKeys()) as number[];
      if (ids.length > MAX_ERRORS) await scriptErrors.bulkDelete(ids.slice(0, ids.length - MAX_ERRORS));
    });
    this.#changed();
  }

  /** Newest first. */
  async errors(uuid: string): Promise<ScriptError[]> {
    const rows = await this.#db.scriptErrors.where("uuid").equals(uuid).sortBy("at");
    return rows.reverse().map(({ id: _, ...error }) => error);
  }

  async clearErrors(uuid: string): Promise<void> {
    await this.#db.scriptErrors.where("uuid").equals(uuid).delete();
    this.#changed();
  }

  /** Forgets what was read, after the tables were erased from outside. */
  reset(): void {
    this.#heads = null;
    this.#loaded = null;
    this.#changed();
  }

  #load(): Promise<Map<string, ScriptHead>> {
    if (this.#heads) return this.#heads;
    const heads = this.#db.scripts.toArray().then(
      (rows) => {
        const map = new Map(rows.map((head) => [head.uuid, head]));
        if (this.#heads === heads) this.#loaded = map;
        return map;
      },
      (error: unknown) => {
        // The next call reads again.
        if (this.#heads === heads) this.#heads = null;
        throw error;
      },
    );
    this.#heads = heads;
    return heads;
  }

  async #lastPosition(): Promise<number> {
    return [...(await this.#load()).values()].reduce((last, head) => Math.max(last, head.position), 0);
  }

  async #replace(head: ScriptHead): Promise<void> {
    (await this.#load()).set(head.uuid, head);
    this.#changed();
  }

  #changed(): void {
    this.#listeners.tell();
  }
}

/** Two scripts are versions of one when name and namespace agree, as in other managers. */
export function identityOf(metadata: ScriptMetadata): string {
  return JSON.stringify([metadata.namespace ?? "", metadata.name]);
}

/** 192 random bits. */
function randomToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes));
}
