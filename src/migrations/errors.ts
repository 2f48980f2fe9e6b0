import { NamedError } from "@/rpc/errors";

/** The stored data is newer than the product: `DowngradeError`. */
export function downgradeError(writer: string, version: string): NamedError {
  const by = writer && writer !== version ? `version ${writer} of Moggy` : "a newer version of Moggy";
  return new NamedError(
    "DowngradeError",
    `Moggy's data in this browser profile was written by ${by}; this is version ${version}, which does not know its form. Nothing was changed. Install ${writer && writer !== version ? `version ${writer} or a newer one` : "the newer version"} again.`,
  );
}

/** The data could not be brought into the form of this version: `MigrationError`, with `why` alone as its data. */
export function migrationError(why: string, cause?: unknown): NamedError {
  return new NamedError(
    "MigrationError",
    `Moggy could not update its data to this version: ${why} What was stored before is kept. Open Moggy's options to try again.`,
    { cause, data: { why } },
  );
}

export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /[.!?。]$/.test(text) ? text : `${text}.`;
}
