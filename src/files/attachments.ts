import type { MoggyDatabase } from "@/platform/db";
import { NamedError } from "@/rpc/errors";
import type { FileService } from "./service";
import type { AttachmentRow, CleanUpResult, FilePlace } from "./types";

/** How long an attachment that nobody needs is kept: whoever made it may be about to say so, or undo what let go of it. */
export const GRACE_MS = 60 * 60_000;

export interface AttachmentDeps {
  db: MoggyDatabase;
  files: FileService;
  now(): number;
  id(): string;
}

export type AttachmentMeta = Pick<AttachmentRow, "name" | "mimeType" | "type">;

/**
 * Files of conversations, each kept as long as somebody needs it. The file is written before its row and deleted after it, so
 * wherever the process ends, what is left over can be told: a file without a row, or a row that nobody needs.
 */
export class AttachmentService {
  readonly #deps: AttachmentDeps;

  constructor(deps: AttachmentDeps) {
    this.#deps = deps;
  }

  /**
   * Keeps content as an attachment.
   * @param owner who needs it, such as `conversation:<id>`; left out, it goes after {@link GRACE_MS} unless somebody is added
   * @returns its id
   */
  async put(content: Blob, meta: AttachmentMeta, owner?: string): Promise<string> {
    const { db, files, id: newId, now } = this.#deps;
    const id = newId();
    const { size } = await files.write(placeOf(id), content);
    const createdAt = now();
    await db.transaction("rw", db.attachments, db.attachmentRefs, async () => {
      const unused = owner === undefined ? { unusedSince: createdAt } : {};
      await db.attachments.put({ id, ...meta, size, createdAt, ...unused });
      if (owner !== undefined) await db.attachmentRefs.put({ attachment: id, owner });
    });
    return id;
  }

  /** @throws NamedError NotFoundError */
  async read(id: string): Promise<{ row: AttachmentRow; data: Blob }> {
    const row = await this.#row(id);
    const data = await this.#deps.files.read(placeOf(id));
    return { row, data: new Blob([data], { type: row.mimeType }) };
  }

  /** @throws NamedError NotFoundError when the attachment is gone already */
  async addRef(id: string, owner: string): Promise<void> {
    const { db } = this.#deps;
    await db.transaction("rw", db.attachments, db.attachmentRefs, async () => {
      const { unusedSince: _was, ...row } = await this.#row(id);
      await db.attachmentRefs.put({ attachment: id, owner });
      await db.attachments.put(row);
    });
  }

  /** Removing one that is not there does nothing. */
  async removeRef(id: string, owner: string): Promise<void> {
    const { db, now } = this.#deps;
    await db.transaction("rw", db.attachments, db.attachmentRefs, () => release(db, [[id, owner]], now()));
  }

  /** The owners of an attachment. */
  async owners(id: string): Promise<string[]> {
    return (await refsOf(this.#deps.db, id).toArray()).map(({ owner }) => owner);
  }

  /** Whether there is anything that {@link collect} could take away, without a look at the files. */
  async anyUnused(): Promise<boolean> {
    const before = this.#deps.now() - GRACE_MS;
    const unused = ({ unusedSince }: AttachmentRow) => unusedSince !== undefined && unusedSince <= before;
    return (await this.#deps.db.attachments.filter(unused).count()) > 0;
  }

  /**
   * Deletes attachments that nobody has needed for {@link GRACE_MS}, files without a row that are as old, and rows whose file is gone.
   * It can be interrupted anywhere and done again.
   */
  async collect(): Promise<CleanUpResult> {
    const { db, files, now } = this.#deps;
    const before = now() - GRACE_MS;
    const stored = await files.list({ area: "attachments", path: "" });
    const sizes = new Map(stored.map(({ path, size, modifiedAt }) => [path, { size, modifiedAt }]));
    const result: CleanUpResult = { attachments: 0, entries: 0, bytes: 0 };

    for (const { id, createdAt } of await db.attachments.toArray()) {
      const hasFile = sizes.has(id);
      // One that was put after the files were listed is not without a file.
      if (!hasFile && createdAt > before) continue;
      if (!(await this.#dropRow(id, hasFile ? before : Number.POSITIVE_INFINITY))) continue;
      if (!hasFile) result.entries += 1;
    }
    const rows = new Set(await db.attachments.toCollection().primaryKeys());
    for (const [path, { size, modifiedAt }] of sizes) {
      // A young file without a row may be one whose row is about to be written.
      if (rows.has(path) || modifiedAt > before) continue;
      await files.delete({ area: "attachments", path });
      result.attachments += 1;
      result.bytes += size;
    }
    return result;
  }

  /** Deletes a row that nobody has needed since `before`; any row when that is the end of time. */
  async #dropRow(id: string, before: number): Promise<boolean> {
    const { db } = this.#deps;
    return db.transaction("rw", db.attachments, db.attachmentRefs, async () => {
      const row = await db.attachments.get(id);
      if (!row) return false;
      const isLost = before === Number.POSITIVE_INFINITY;
      if (!isLost && ((await refsOf(db, id).count()) > 0 || (row.unusedSince ?? row.createdAt) > before)) {
        return false;
      }
      await refsOf(db, id).delete();
      await db.attachments.delete(id);
      return true;
    });
  }

  async #row(id: string): Promise<AttachmentRow> {
    const row = await this.#deps.db.attachments.get(id);
    if (!row) {
      throw new NamedError(
        "NotFoundError",
        `There is no attachment “${id.slice(0, 80)}”. It may have been deleted with its conversation.`,
      );
    }
    return row;
  }
}

/** Lets go of every attachment whose owner begins so. To be called in a transaction over attachments and attachmentRefs. */
export async function releaseOwners(db: MoggyDatabase, ownerPrefix: string, now: number): Promise<void> {
  const refs = await db.attachmentRefs.where("owner").startsWith(ownerPrefix).toArray();
  await release(
    db,
    refs.map(({ attachment, owner }) => [attachment, owner]),
    now,
  );
}

async function release(
  db: MoggyDatabase,
  refs: ReadonlyArray<[attachment: string, owner: string]>,
  now: number,
): Promise<void> {
  await db.attachmentRefs.bulkDelete([...refs]);
  for (const id of new Set(refs.map(([attachment]) => attachment))) {
    if ((await refsOf(db, id).count()) > 0) continue;
    await db.attachments.update(id, { unusedSince: now });
  }
}

function refsOf(db: MoggyDatabase, id: string) {
  return db.attachmentRefs.where("attachment").equals(id);
}

function placeOf(id: string): FilePlace {
  return { area: "attachments", path: id };
}
