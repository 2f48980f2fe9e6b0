import Dexie, { type EntityTable, type Table } from "dexie";
import type { ConsentRow } from "@/consent/types";
import type { AttachmentRefRow, AttachmentRow } from "@/files/types";
import type { LogRow } from "@/log/types";
import type { ScriptCode, ScriptError, ScriptHead } from "@/userscripts/types";

/** A stored value: encoded text (see gm/values/codec), so that Map, Date, NaN and the like survive. */
export interface ValueRow {
  store: string;
  key: string;
  value: string;
  /** The store's revision that wrote it. */
  revision: number;
}

/** One store of values, with the number of its newest write. */
export interface ValueStoreRow {
  store: string;
  revision: number;
}

/** Journal and conversation rows are shaped by agent/core; the database only needs their keys. */
export interface EventRow {
  runId: string;
  seq: number;
}
export interface RunRow {
  id: string;
  kind: string;
  status: string;
  conversationId?: string;
  startedAt: number;
}
export interface ConversationRow {
  id: string;
  owner: string;
  updatetime: number;
}
export interface MessageRow {
  conversationId: string;
  seq: number;
}

/** Everything that is not a small setting or a large file. Versions are only ever added. */
export class MoggyDatabase extends Dexie {
  declare scripts: EntityTable<ScriptHead, "uuid">;
  declare codes: EntityTable<ScriptCode, "uuid">;
  declare scriptErrors: Table<ScriptError & { id?: number }, number>;
  declare values: Table<ValueRow, [string, string]>;
  declare valueStores: EntityTable<ValueStoreRow, "store">;
  declare runs: EntityTable<RunRow, "id">;
  declare events: Table<EventRow, [string, number]>;
  declare conversations: EntityTable<ConversationRow, "id">;
  declare messages: Table<MessageRow, [string, number]>;
  declare consents: EntityTable<ConsentRow, "id">;
  declare attachments: EntityTable<AttachmentRow, "id">;
  declare attachmentRefs: Table<AttachmentRefRow, [string, string]>;
  declare log: Table<LogRow, number>;

  /** @param factory the browser's own when left out */
  constructor(name = "moggy", factory?: IDBFactory) {
    super(name, { chromeTransactionDurability: "relaxed", ...(factory && { indexedDB: factory }) });
    this.version(1).stores({
      scripts: "uuid, identity, position",
      codes: "uuid",
      scriptErrors: "++id, uuid",
      values: "[store+key]",
      valueStores: "store",
      runs: "id, status, kind, conversationId, startedAt",
      events: "[runId+seq]",
      conversations: "id, owner, updatetime",
      messages: "[conversationId+seq]",
    });
    this.version(2).stores({
      consents: "id, subject",
      attachments: "id",
      attachmentRefs: "[attachment+owner], owner",
      log: "++id, at",
    });
  }
}
