/**
 * An IndexedDB whose databases are used only after `opened` has resolved, and never in a version that the code does not know.
 *
 * Dexie opens a database that is newer than its own declaration all the same (without a version, after the browser's VersionError), and
 * then adds to it what it misses: data of a newer product would be changed by an older one. Here the browser's refusal stands.
 *
 * @param opened rejects when no database may be opened at all
 * @param newer called when a database is newer than the code; makes the error that opening it fails with
 */
export function gatedIndexedDb(factory: IDBFactory, opened: Promise<void>, newer: () => Error): IDBFactory {
  let isOpen = false;
  opened.then(
    () => {
      isOpen = true;
    },
    // Each request waits for the same promise and reports it.
    () => undefined,
  );
  return {
    open(name, version) {
      if (version === undefined) throw newer();
      if (isOpen) return factory.open(name, version);
      return openLater(opened, () => factory.open(name, version));
    },
    cmp: (a, b) => factory.cmp(a, b),
    databases: () => factory.databases(),
    deleteDatabase: (name) => factory.deleteDatabase(name),
  };
}

/**
 * Stands in for a request; has what Dexie uses of one: result, error, transaction and four handlers. To save the time of a start,
 * the browser opens the database meanwhile, but what comes of it is told only when it may be used, and nothing is made or changed
 * before: an upgrade that comes too early is undone and begun anew.
 */
function openLater(opened: Promise<void>, open: () => IDBOpenDBRequest): IDBOpenDBRequest {
  let real = open();
  let refusal: unknown = null;
  let again = false;
  let tell: (() => void) | null = null;
  const request = {
    onsuccess: null,
    onerror: null,
    onblocked: null,
    onupgradeneeded: null,
    get result() {
      return real.result;
    },
    get error() {
      return refusal ?? real.error;
    },
    get transaction() {
      return real.transaction;
    },
  } as unknown as IDBOpenDBRequest;

  real.onupgradeneeded = () => {
    again = true;
    real.transaction?.abort();
  };
  real.onerror = (event) => {
    // The end of what was undone here.
    if (again) event.preventDefault();
    else tell = () => request.onerror?.(event);
  };
  real.onsuccess = (event) => {
    const early = real.result;
    // Dexie puts its own handler here once it has the database; until then nobody uses it, and it must be in nobody's way.
    early.onversionchange = () => {
      early.close();
      again = true;
    };
    tell = () => request.onsuccess?.(event);
  };
  opened.then(
    () => {
      if (again) real = open();
      // Read when the event comes: the handlers are set, and changed, after this request was handed out.
      real.onsuccess = (event) => request.onsuccess?.(event);
      real.onerror = (event) => request.onerror?.(event);
      real.onblocked = (event) => request.onblocked?.(event);
      real.onupgradeneeded = (event) => request.onupgradeneeded?.(event);
      if (!again) tell?.();
    },
    (error: unknown) => {
      refusal = error;
      real.onsuccess = () => real.result.close();
      if (real.readyState === "done" && real.error === null) real.result.close();
      // Nobody is above it to whom it could bubble.
      const nothing = () => undefined;
      const event = { target: request, preventDefault: nothing, stopPropagation: nothing };
      request.onerror?.(event as unknown as Event);
    },
  );
  return request;
}
