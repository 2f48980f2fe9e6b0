import type { DataGateDeps } from "@/migrations/gate";
import { DataGate } from "@/migrations/gate";
import { gatedStorage } from "@/migrations/gated-storage";
import type { MigrateOptions } from "@/migrations/run";
import { SCHEMA_KEY } from "@/migrations/schema";
import type { MigrationStores } from "@/migrations/stores";
import type { StoredSchema } from "@/migrations/types";
import { MoggyDatabase } from "@/platform/db";
import { gatedIndexedDb } from "@/platform/gated-idb";
import type { Keepalive } from "@/platform/keepalive";
import type { BatchStorage, KeyValueStorage } from "@/platform/storage";
import { LazyScript } from "./lazy-script";

/** What migrations.js leaves for core.js. */
export interface MigrationsModule {
  migrate(
    stores: Omit<MigrationStores, "files">,
    stored: StoredSchema | null,
    options: MigrateOptions,
  ): Promise<void>;
}

declare global {
  var moggyMigrations: MigrationsModule | undefined;
}

/** The stores that everything in the worker uses, behind the gate that keeps them shut while their data has another form. */
export interface GatedStores {
  gate: DataGate;
  db: MoggyDatabase;
  storage: KeyValueStorage;
}

/** @param storage all of chrome.storage.local, as it is */
export function createGatedStores(storage: BatchStorage, keepalive: Keepalive): GatedStores {
  const script = new LazyScript("migrations.js", () => globalThis.moggyMigrations);
  const migrate: DataGateDeps["migrate"] = async (stored, options) => {
    const release = keepalive.hold("update of the stored data");
    try {
      // The number may be lost where the database is newer than this version: that shows only when it is opened.
      const factory = gatedIndexedDb(indexedDB, Promise.resolve(), gate.foundNewer);
      const stores = { storage, openDatabase: () => new MoggyDatabase(undefined, factory) };
      await script.load().migrate(stores, stored, { ...options, writer: __VERSION__ });
    } finally {
      release();
    }
  };
  const gate = new DataGate({
    read: () => storage.get(SCHEMA_KEY),
    migrate,
    version: __VERSION__,
    report: (error) => console.error("Moggy's data cannot be used:", error),
  });
  const db = new MoggyDatabase(undefined, gatedIndexedDb(indexedDB, gate.opened, gate.foundNewer));
  // Every start needs it, so it is opened beside the check and not after it. Why it does not open, each query that needs it tells.
  db.open().catch(() => undefined);
  return {
    gate,
    db,
    storage: gatedStorage(storage, gate),
  };
}
