import type { MoggyDatabase } from "@/platform/db";
import type { KeyValueStorage } from "@/platform/storage";
import type { CallContext } from "@/rpc/caller";
import type { Handlers } from "@/rpc/contract";
import { follow } from "@/rpc/follow";
import { Listeners } from "@/rpc/listeners";
import type { LogContract } from "./contract";
import { maskEntry, maskText } from "./mask-entry";
import { type ReportFacts, reportText } from "./report";
import type { SecretList } from "./secret-list";
import { SecretFinder } from "./secrets";
import { LogStore } from "./store";
import type { LogInput, LogKeeper, LogRow } from "./types";

export interface KeeperDeps {
  db: MoggyDatabase;
  storage: KeyValueStorage;
  /** Secrets to look for in what is stored. */
  secrets: SecretList;
  /** What a report says beside the entries. */
  facts(): Promise<ReportFacts>;
  /** Told how many errors there are that the person has not seen. */
  onUnseen(count: number): void;
  /** Takes in an error that a page saw. */
  add(input: LogInput): void;
  /** Resolves when all that was added before is stored, or could not be. */
  settled(): Promise<void>;
}

/** When the person last looked at the log: ms since the epoch. */
const SEEN_KEY = "log-seen";
/** Entries that a report takes along. */
const IN_REPORT = 50;

/** Keeps the log: masks secrets before anything is stored, serves our pages, and says how much is new. */
export function createLogKeeper(
  deps: KeeperDeps,
): LogKeeper & { handlers(): Handlers<LogContract, CallContext> } {
  const store = new LogStore(deps.db);
  const finder = new SecretFinder(deps.secrets);
  const { add: onChange, tell: changed } = new Listeners();
  const seenAt = async (): Promise<number> => (await deps.storage.get<number>(SEEN_KEY)) ?? 0;
  const announce = async (): Promise<void> => deps.onUnseen(await store.countUnseen(await seenAt()));
  const entries = async (): Promise<LogRow[]> => {
    await deps.settled();
    return store.newestFirst();
  };

  return {
    announce,
    keep: async (rows) => {
      await store.append(rows.map((row) => maskEntry(row, finder)));
      changed();
    },
    handlers: () => ({
      entries: (_input, { signal }) => follow(entries, onChange, signal),
      report: async ({ source, during, name, message, stack, shown }) => {
        // Our own pages only speak for themselves.
        const from = source.startsWith("page:") ? source : `page:${source}`;
        deps.add({ source: from, during, error: { name, message, stack }, ...(shown ? { shown } : {}) });
      },
      seen: async ({ at }) => {
        if (at > (await seenAt())) await deps.storage.set(SEEN_KEY, at);
        await announce();
      },
      clear: async () => {
        await deps.settled();
        await store.clear();
        changed();
        await announce();
      },
      restore: async ({ rows }) => {
        await store.restore(rows.map((row) => maskEntry(row, finder)));
        changed();
      },
      copyable: async () => {
        const [rows, facts] = await Promise.all([entries(), deps.facts()]);
        // Once more: a secret may have become known after an entry was stored.
        return maskText(reportText(facts, rows.slice(0, IN_REPORT), rows.length), finder);
      },
    }),
  };
}
