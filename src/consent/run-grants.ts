import { SessionList } from "@/platform/session-list";
import type { SessionStorage } from "@/platform/session-storage";
import { Listeners } from "@/rpc/listeners";
import { type ConsentEffect, type ConsentSubject, consentId } from "./types";

/** Something allowed while a run lasts, or for a script while its document is there. */
export interface RunGrant {
  subject: ConsentSubject;
  effect: ConsentEffect;
  host: string;
  runId: string;
  tabId?: number;
  pageUrl?: string;
  /** ms since the epoch. */
  grantedAt: number;
}

/** The oldest make room. */
const MOST = 500;

/** The identity of such a grant: that of its question, and the run. */
export function runGrantId({ subject, effect, host, runId }: RunGrant): string {
  return JSON.stringify([subject, effect, host, runId]);
}

/**
 * What is allowed for a run. A document keeps its id while it exists and no other ever has it, so a grant of a document that was left
 * allows nothing any more; it is dropped when the list is next looked at.
 */
export class RunGrants {
  readonly #list: SessionList<RunGrant>;
  readonly #listeners = new Listeners();

  /** @param documents ids of the documents that a tab shows now */
  constructor(
    session: SessionStorage,
    private readonly documents: (tabId: number) => Promise<ReadonlySet<string>>,
  ) {
    this.#list = new SessionList(session, "consent.runs");
  }

  /** The grant for this question in this run. */
  async find(id: string, runId: string | undefined): Promise<RunGrant | undefined> {
    if (runId === undefined) return undefined;
    return (await this.#list.read()).find(
      (grant) => grant.runId === runId && consentId(grant.subject, grant.effect, grant.host) === id,
    );
  }

  async add(grants: readonly RunGrant[]): Promise<void> {
    const ids = new Set(grants.map(runGrantId));
    await this.#list.update((all) =>
      [...all.filter((grant) => !ids.has(runGrantId(grant))), ...grants].slice(-MOST),
    );
    this.#listeners.tell();
  }

  /** Those whose document is still there; the others go. */
  async list(): Promise<readonly RunGrant[]> {
    const all = await this.#list.read();
    const tabs = new Set(all.flatMap(({ tabId }) => (tabId === undefined || tabId < 0 ? [] : [tabId])));
    const shown = new Map(
      await Promise.all([...tabs].map(async (tabId) => [tabId, await this.documents(tabId)] as const)),
    );
    const isThere = ({ tabId, runId }: RunGrant) => {
      const documents = tabId === undefined ? undefined : shown.get(tabId);
      return documents === undefined || documents.has(runId);
    };
    if (!all.every(isThere)) await this.#list.update((grants) => grants.filter(isThere));
    return this.#list.read();
  }

  /** Takes back the grants that `concerns` picks. @returns them */
  async remove(concerns: (grant: RunGrant) => boolean): Promise<RunGrant[]> {
    let gone: RunGrant[] = [];
    await this.#list.update((grants) => {
      gone = grants.filter(concerns);
      return gone.length === 0 ? grants : grants.filter((grant) => !concerns(grant));
    });
    if (gone.length > 0) this.#listeners.tell();
    return gone;
  }

  /** Runs `listener` after each change; returns what stops that. */
  readonly onChange = this.#listeners.add;
}
