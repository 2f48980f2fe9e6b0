import type { MigrationStep } from "./stores";

/** All steps of all times, in their order. A step that was released is never changed or taken away: some profile needs it yet. */
export const STEPS: readonly MigrationStep[] = [
  {
    id: "2-tables",
    to: 2,
    store: "database",
    // Dexie makes the new tables, in one transaction, by the versions that src/platform/db.ts declares.
    run: async (db) => {
      await db.open();
    },
  },
];
