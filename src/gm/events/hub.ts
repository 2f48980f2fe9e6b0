import { SessionList } from "@/platform/session-list";
import { NamedError } from "@/rpc/errors";
import type { GmHost } from "../host";
import type { ScriptEvent } from "./contract";
import { Outbox } from "./outbox";

/** One script in one document. */
export interface Target {
  tabId: number;
  documentId: string;
  uuid: string;
}

/** An event for a document that is to come back. */
interface Waiting {
  event: ScriptEvent;
  delivered: () => void;
}

/** How long a document that was asked to come back may take. */
const COME_BACK_MS = 10_000;

const keyOf = ({ documentId, uuid }: Target) => `${documentId} ${uuid}`;

/**
 * Knows which documents listen, and gets events to them: over the open stream, or, when the stream died with an earlier worker,
 * by asking the document to open it again. Who listens to values is remembered in session storage for that.
 */
export class EventHub {
  readonly #open = new Map<string, { target: Target; values: boolean; outbox: Outbox }>();
  readonly #followers = new Map<string, SessionList<Target>>();
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #waking = new Map<string, Promise<boolean>>();

  constructor(
    private readonly host: Pick<GmHost, "wake" | "session" | "documents" | "report">,
    /** A document's stream ended from its side: the document is gone, or put away for going back to. */
    private readonly onGone: (target: Target) => void,
  ) {}

  /** Opens the outbox of a document. An older one of the same script and document gives way. */
  open(target: Target, values: boolean): Outbox {
    const key = keyOf(target);
    this.#open.get(key)?.outbox.end();
    const outbox = new Outbox();
    this.#open.set(key, { target, values, outbox });
    for (const { event, delivered } of this.#waiting.get(key) ?? []) {
      outbox.push(event);
      delivered();
    }
    this.#waiting.delete(key);
    if (values) this.#keepTrack(this.#remember(target));
    return outbox;
  }

  /** The far side of an outbox is gone. */
  close(target: Target, outbox: Outbox): void {
    outbox.end();
    const key = keyOf(target);
    if (this.#open.get(key)?.outbox !== outbox) return;
    this.#open.delete(key);
    this.#keepTrack(this.#forget(target));
    this.onGone(target);
  }

  /**
   * Sends to all documents of a script that follow its values. Those without a stream are woken; they then compare what they
   * know with the store, so the event itself need not wait for them.
   */
  publishValues(uuid: string, eventFor: (target: Target) => ScriptEvent[]): void {
    for (const { target, values, outbox } of this.#open.values()) {
      if (target.uuid === uuid && values) for (const event of eventFor(target)) outbox.push(event);
    }
    this.#keepTrack(this.#wakeFollowers(uuid));
  }

  /**
   * Sends one event to one document, waking it when needed.
   * @throws NotFoundError when the document is gone, TimeoutError when it does not come back
   */
  async deliver(target: Target, event: ScriptEvent): Promise<void> {
    const key = keyOf(target);
    const open = this.#open.get(key);
    if (open) return open.outbox.push(event);
    const arrival = this.#await(key, event);
    try {
      if (!(await this.#wake(target))) {
        throw new NamedError("NotFoundError", "The page that this was for is closed or was left.");
      }
      await arrival.done;
    } finally {
      arrival.cancel();
    }
  }

  /** Holds an event for a document that is asked to come back. */
  #await(key: string, event: ScriptEvent): { done: Promise<void>; cancel: () => void } {
    let settle: (error?: Error) => void = () => undefined;
    const done = new Promise<void>((resolve, reject) => {
      settle = (error) => (error ? reject(error) : resolve());
    });
    const entry: Waiting = { event, delivered: () => settle() };
    const timer = setTimeout(() => {
      settle(new NamedError("TimeoutError", "The page did not answer. Reload it and try again."));
    }, COME_BACK_MS);
    this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), entry]);
    const cancel = () => {
      clearTimeout(timer);
      const rest = (this.#waiting.get(key) ?? []).filter((other) => other !== entry);
      if (rest.length > 0) this.#waiting.set(key, rest);
      else this.#waiting.delete(key);
    };
    return { done, cancel };
  }

  async #wakeFollowers(uuid: string): Promise<void> {
    const followers = await this.#followersOf(uuid).read();
    await Promise.all(
      followers
        .filter((target) => !this.#open.has(keyOf(target)))
        .map(async (target) => {
          if (!(await this.#wake(target))) await this.#forget(target);
        }),
    );
  }

  /** One request to come back at a time per document. */
  #wake(target: Target): Promise<boolean> {
    const key = keyOf(target);
    let waking = this.#waking.get(key);
    if (!waking) {
      waking = this.host.wake(target).finally(() => this.#waking.delete(key));
      this.#waking.set(key, waking);
    }
    return waking;
  }

  /** Who is remembered and woken is decided beside the calls that lead to it, which must not fail for it. */
  #keepTrack(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      this.host.report("Keeping in touch with the documents that follow a script's values", error);
    });
  }

  async #remember(target: Target): Promise<void> {
    await this.#followersOf(target.uuid).update((all) =>
      all.some((other) => keyOf(other) === keyOf(target)) ? all : [...all, { ...target }],
    );
  }

  async #forget(target: Target): Promise<void> {
    await this.#followersOf(target.uuid).update((all) => {
      const rest = all.filter((other) => keyOf(other) !== keyOf(target));
      return rest.length === all.length ? all : rest;
    });
  }

  #followersOf(uuid: string): SessionList<Target> {
    let list = this.#followers.get(uuid);
    if (!list) {
      list = new SessionList<Target>(this.host.session, `gm.followers.${uuid}`);
      this.#followers.set(uuid, list);
      // Documents that were left while no worker ran are still on it.
      this.#keepTrack(this.#dropGone(list));
    }
    return list;
  }

  async #dropGone(list: SessionList<Target>): Promise<void> {
    const all = await list.read();
    const tabs = [...new Set(all.map(({ tabId }) => tabId))];
    const documents = new Map(
      await Promise.all(tabs.map(async (tabId) => [tabId, await this.host.documents(tabId)] as const)),
    );
    const gone = new Set(all.filter(({ tabId, documentId }) => !documents.get(tabId)?.has(documentId)));
    await list.update((now) => (gone.size === 0 ? now : now.filter((target) => !gone.has(target))));
  }
}
