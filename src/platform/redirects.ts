import { NamedError } from "@/rpc/errors";
import type { SessionStorage } from "./session-storage";

/** One exchange: the answer, or, when it is a redirect, its status and where it points to. */
export interface Hop {
  response: Response;
  redirect: { status: number; url: string } | null;
}

/** Sends one request to an address without fragment. Never follows a redirect. */
export type FetchHop = (url: string, init: RequestInit) => Promise<Hop>;

/** The parts of an event of chrome.webRequest.onBeforeRedirect that are used. */
export interface RedirectDetails {
  url: string;
  redirectUrl: string;
  statusCode: number;
  initiator?: string;
}

export interface HopDeps {
  onBeforeRedirect: {
    addListener(
      listener: (details: RedirectDetails) => void,
      filter: { urls: string[]; types: ["xmlhttprequest"]; tabId: number },
    ): void;
    removeListener(listener: (details: RedirectDetails) => void): void;
  };
  /** Any call that the browser answers in order: once it has, an added listener is in force. */
  barrier(): Promise<unknown>;
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Awaited before each request, such as for a rule that must be in force. */
  ready(): Promise<void>;
  session: SessionStorage;
  /** Our own origin, as the browser names the initiator of our requests. */
  origin: string;
}

const FILTER = {
  urls: ["http://*/*", "https://*/*"],
  types: ["xmlhttprequest"] as ["xmlhttprequest"],
  tabId: -1,
};
const SESSION_KEY = "redirects.listening";
/** The listener stays for a moment, since requests come in bursts; but it makes all of the browser's requests a little slower. */
const LINGER_MS = 3000;
/** The event comes within milliseconds of the answer, before or after it. */
const EVENT_MS = 5000;

/**
 * Where a redirect points to is hidden from `fetch`, which follows it or says only that there was one. chrome.webRequest tells it.
 * Each request carries a fragment of its own, which goes to no server but comes back in the event, so that two requests to
 * one address at a time cannot be mixed up.
 *
 * The browser remembers a listener beyond the worker's death and would wake the worker for redirects of any site's own
 * service worker, so it is there only while needed, and one that a dead worker left is cleared at the next start.
 */
export class HopFetcher {
  readonly #waiting = new Map<string, (details: RedirectDetails) => void>();
  readonly #tag = crypto.randomUUID();
  #next = 0;
  #active = 0;
  #listening: Promise<unknown> | null = null;
  #linger: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly deps: HopDeps) {}

  /** Called once at a start of the worker, before any request: the first listener of a start takes the place of one left behind. */
  async clearLeftover(): Promise<void> {
    if (!(await this.deps.session.get(SESSION_KEY))) return;
    await this.#listen();
    this.#release();
  }

  readonly fetchHop: FetchHop = async (url, init) => {
    this.#active += 1;
    clearTimeout(this.#linger);
    const mark = `#moggy-${this.#tag}-${++this.#next}`;
    try {
      await Promise.all([this.deps.ready(), this.#listen()]);
      const redirected = new Promise<RedirectDetails>((resolve) => {
        this.#waiting.set(mark, resolve);
      });
      const response = await this.deps.fetch(`${url}${mark}`, { ...init, redirect: "manual" });
      if (response.type !== "opaqueredirect") return { response, redirect: null };
      const { statusCode, redirectUrl } = await withTimeout(redirected, url);
      // Without a fragment of its own the target inherits ours.
      const target = redirectUrl.endsWith(mark) ? redirectUrl.slice(0, -mark.length) : redirectUrl;
      return { response, redirect: { status: statusCode, url: target } };
    } finally {
      this.#waiting.delete(mark);
      this.#active -= 1;
      this.#release();
    }
  };

  #listen(): Promise<unknown> {
    this.#listening ??= (async () => {
      await this.deps.session.set(SESSION_KEY, true);
      this.deps.onBeforeRedirect.addListener(this.#onRedirect, FILTER);
      await this.deps.barrier();
    })();
    this.#listening.catch(() => {
      this.#listening = null;
    });
    return this.#listening;
  }

  #release(): void {
    if (this.#active > 0) return;
    clearTimeout(this.#linger);
    this.#linger = setTimeout(() => void this.#stop(), LINGER_MS);
  }

  async #stop(): Promise<void> {
    if (this.#active > 0) return;
    this.#listening = null;
    this.deps.onBeforeRedirect.removeListener(this.#onRedirect);
    await this.deps.session.remove(SESSION_KEY);
  }

  readonly #onRedirect = (details: RedirectDetails): void => {
    if (details.initiator !== this.deps.origin) return;
    this.#waiting.get(new URL(details.url).hash)?.(details);
  };
}

async function withTimeout(redirected: Promise<RedirectDetails>, url: string): Promise<RedirectDetails> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new NamedError(
            "NetworkError",
            `${new URL(url).host} redirected, and the browser did not tell where to. Try again.`,
          ),
        ),
      EVENT_MS,
    );
  });
  try {
    return await Promise.race([redirected, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The fetcher of this worker. `ready` is awaited before each request. */
export function browserHopFetcher(session: SessionStorage, ready: () => Promise<void>): HopFetcher {
  return new HopFetcher({
    onBeforeRedirect: chrome.webRequest.onBeforeRedirect as unknown as HopDeps["onBeforeRedirect"],
    barrier: () => chrome.runtime.getPlatformInfo(),
    fetch: (url, init) => fetch(url, init),
    ready,
    session,
    origin: new URL(chrome.runtime.getURL("")).origin,
  });
}
