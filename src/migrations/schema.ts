import type { PendingSteps, StoredSchema } from "./types";

export const SCHEMA_KEY = "schema";

/**
 * Every form that the stored data has had: one number for all stores together. A change of a form is one more line here, and the
 * steps towards it in steps.ts. Lines are only ever added.
 */
export const SCHEMAS = [
  { version: 1, database: 1, what: "scripts, values, conversations and runs; no number is stored" },
  { version: 2, database: 2, what: "consents, attachments and the log" },
] as const;

/** The form that this version of the product reads and writes. */
export const SCHEMA_VERSION = 2;

/**
 * What is stored under {@link SCHEMA_KEY}, or null when it is missing or makes no sense: then all steps are due, which do nothing to
 * data that has its form already. So they are where it cannot be told which of them are done.
 */
export function readSchema(stored: unknown): StoredSchema | null {
  if (typeof stored !== "object" || stored === null) return null;
  const { version, writer, pending } = stored as Partial<Record<keyof StoredSchema, unknown>>;
  if (typeof version !== "number" || !Number.isSafeInteger(version) || version < 1) return null;
  return {
    version,
    writer: typeof writer === "string" ? writer : "",
    ...(pending !== undefined && { pending: isPending(pending) ? pending : UNKNOWN_STEPS }),
  };
}

function isPending(value: unknown): value is NonNullable<StoredSchema["pending"]> {
  if (typeof value !== "object" || value === null) return false;
  const { from, done, attempts, remove = [] } = value as Partial<Record<string, unknown>>;
  return isCount(from) && isTexts(done) && isCount(attempts) && isTexts(remove);
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

const UNKNOWN_STEPS: PendingSteps = { from: 1, done: [], attempts: 0 };
