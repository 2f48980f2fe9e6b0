/**
 * An IndexedDB whose databases are used only after `opened` has resolved, and never in a version that the code does not know.
 *
 * Dexie opens a database that is newer than its own declaration all the same (without a version, after the browser's VersionError), and
 * then adds to it what it misses: data of a newer product would be changed by an older one. Here the browser's refusal stands. A
 * database that misses a table of its own version is mended by Dexie, which gives it the browser's next number; that is still the
 * same version, since Dexie's versions are ten of the browser's apart.
 *
 * @param opened rejects when no database may be opened at all
 * @param newer called when a database is newer than the code; makes the error that opening it fails with
 */
export function gatedIndexedDb(factory: IDBFactory, opened: Promise<void>, newer: () => Error): IDBFactory {
  let isOpen = false;
  /** The first of the browser's numbers that the code does not know. */
  let unknown = 0;
  opened.then(
    () => {
      isOpen = true;
    },
    // Each request waits for the same promise and reports it.
    () => undefined,
  );
  return {
    open(name, version) {
      if (version === undefined) return openAsItIs(factory.open(name), unknown, newer);
      unknown = (Math.floor(version / PER_VERSION) + 1) * PER_VERSION;
      if (isOpen) return factory.open(name, version);
      return openLater(opened, () => factory.open(name, version));
    },
    cmp: (a, b) => factory.cmp(a, b),
    databases: () => factory.databases(),
    deleteDatabase: (name) => factory.deleteDatabase(name),
  };
}

/** Dexie makes ten of the browser's versions of one of its own. */
const PER_VERSION = 10;

/** Stands in for a request; has what Dexie uses of one: result, error, transaction and four handlers. */
function standIn(real: () => IDBOpenDBRequest, refusal: () => unknown): IDBOpenDBRequest {
  return {
    onsuccess: null,
    onerror: null,
    onblocked: null,
    onupgradeneeded: null,
    get result() {
      return real().result;
    },
    get error() {
      return refusal() ?? real().error;
    },
    get transaction() {
      return real().transaction;
    },
  } as unknown as IDBOpenDBRequest;
}

/** Tells of a refusal that the browser knows nothing of. Nobody is above the request to whom it could bubble. */
function refuse(request: IDBOpenDBRequest): void {
  const nothing = () => undefined;
  const event = { target: request, preventDefault: nothing, stopPropagation: nothing };
  request.onerror?.(event as unknown as Event);
}

/** Opens a database in the version that it has, unless that is one that the code does not know. Changes nothing. */
function openAsItIs(real: IDBOpenDBRequest, unknown: number, newer: () => Error): IDBOpenDBRequest {
  let refusal: Error | null = null;
  const request = standIn(
    () => real,
    () => refusal,
  );
  real.onerror = (event) => request.onerror?.(event);
  real.onblocked = (event) => request.onblocked?.(event);
  real.onsuccess = (event) => {
    if (real.result.version < unknown) return request.onsuccess?.(event);
    real.result.close();
    refusal = newer();
    refuse(request);
  };
  return request;
}

/**
 * To save the time of a start,
 * the browser opens the database meanwhile, but what comes of it is told only when it may be used, and nothing is made or changed
 * before: an upgrade that comes too early is undone and begun anew.
 */
function openLater(opened: Promise<void>, open: () => IDBOpenDBRequest): IDBOpenDBRequest {
  let real = open();
  let refusal: unknown = null;
  let again = false;
  let tell: (() => void) | null = null;
  const request = standIn(
    () => real,
    () => refusal,
  );

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
      refuse(request);
    },
  );
  return request;
}
