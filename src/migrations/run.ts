import { migrationError, reasonOf } from "./errors";
import { SCHEMA_KEY, SCHEMA_VERSION } from "./schema";
import { STEPS } from "./steps";
import type { MigrationStep, MigrationStores, StorageChange } from "./stores";
import type { PendingSteps, StoredSchema } from "./types";

/** Attempts that a start makes by itself without getting one step further; then a person has to ask for the next. */
export const MOST_ATTEMPTS = 5;

export interface MigrateOptions {
  /** Version of the product. */
  writer: string;
  /** A person asked for this attempt. */
  forced: boolean;
  report(done: number, steps: number): void;
  steps?: readonly MigrationStep[];
  version?: number;
}

/**
 * Brings everything that is stored into the form of this version. Each step is noted when it is done, so an attempt that was cut off
 * anywhere is taken up by the next one, and comes to the same end.
 * @throws MigrationError when a step failed, or when too many attempts were cut off
 */
export async function migrate(
  stores: MigrationStores,
  stored: StoredSchema | null,
  options: MigrateOptions,
): Promise<void> {
  const { steps = STEPS, version = SCHEMA_VERSION, writer, forced, report } = options;
  const before = stored?.pending;
  const attempts = forced ? 0 : (before?.attempts ?? 0);
  if (attempts >= MOST_ATTEMPTS) {
    throw migrationError(before?.failure?.why ?? `it was cut off ${attempts} times in a row.`);
  }
  let pending: PendingSteps = {
    from: before?.from ?? stored?.version ?? 1,
    done: before?.done ?? [],
    attempts: attempts + 1,
    ...(before?.remove && { remove: before.remove }),
  };
  const note = async (next: PendingSteps, items: Record<string, unknown> = {}): Promise<void> => {
    await stores.storage.setAll({ ...items, [SCHEMA_KEY]: { version, writer, pending: next } });
    pending = next;
  };

  // Before anything else: from here on, an older version keeps off.
  await note(pending);
  const due = steps.filter(({ to }) => to > pending.from);
  const isDone = ({ id }: MigrationStep) => pending.done.includes(id);
  for (const step of due) {
    await removeKeys(stores, pending);
    report(due.filter(isDone).length, due.length);
    if (isDone(step)) continue;
    try {
      const { set = {}, remove } = await runStep(stores, step);
      const done = [...pending.done, step.id];
      await note({ from: pending.from, done, attempts: 1, ...(remove && { remove }) }, set);
    } catch (error) {
      const failure = { step: step.id, why: reasonOf(error) };
      await note({ ...pending, failure }).catch((cause: unknown) =>
        // What matters is the first failure; without the note the next start only tries again.
        console.error("That a step of the data's update failed could not be noted:", cause),
      );
      throw migrationError(failure.why, error);
    }
  }
  await removeKeys(stores, pending);
  await stores.storage.set(SCHEMA_KEY, { version, writer } satisfies StoredSchema);
}

async function removeKeys({ storage }: MigrationStores, { remove = [] }: PendingSteps): Promise<void> {
  for (const key of remove) await storage.remove(key);
}

async function runStep(stores: MigrationStores, step: MigrationStep): Promise<StorageChange> {
  if (step.store === "storage") return step.run((key) => stores.storage.get(key));
  if (step.store === "files") {
    await step.run(stores.files);
    return {};
  }
  const db = stores.openDatabase();
  try {
    await step.run(db);
  } finally {
    db.close();
  }
  return {};
}
