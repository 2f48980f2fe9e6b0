/** How hard a transaction's data must be on disk before it counts: see IDBTransaction.durability. */
export type Durability = "strict" | "relaxed";

/** The result of a request, for use inside {@link transact}. */
export function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("A database request failed without a reason."));
  });
}

/**
 * Runs `work` in one transaction and resolves with its result when all of it is committed; when `work` rejects, nothing is.
 * `work` may only wait for requests of its own transaction, or the browser commits too early.
 */
export async function transact<T>(
  db: IDBDatabase,
  stores: string[],
  mode: IDBTransactionMode,
  durability: Durability,
  work: (transaction: IDBTransaction) => Promise<T>,
): Promise<T> {
  const transaction = db.transaction(stores, mode, { durability });
  const ended = new Promise<"committed" | Error>((resolve) => {
    transaction.oncomplete = () => resolve("committed");
    transaction.onabort = () =>
      resolve(transaction.error ?? new Error("The database ended a transaction without a reason."));
  });
  let value: T;
  try {
    value = await work(transaction);
    // Saves waiting for the answers to the writes: they are all asked for, and a failed one still ends the transaction.
    if (mode === "readwrite") transaction.commit();
  } catch (error) {
    // A request that failed has aborted the transaction already, and aborting it twice throws.
    if (transaction.error === null) transaction.abort();
    await ended;
    throw error;
  }
  const end = await ended;
  if (end !== "committed") throw end;
  return value;
}
