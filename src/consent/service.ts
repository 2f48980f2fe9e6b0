import type { CallContext, PageCaller } from "@/rpc/caller";
import type { Handlers } from "@/rpc/contract";
import { NamedError } from "@/rpc/errors";
import { follow } from "@/rpc/follow";
import { listenToAll } from "@/rpc/listeners";
import type { AskerRun } from "./askers";
import type { ConsentContract, ConsentEntry } from "./contract";
import { presentable } from "./display";
import { LiveGrants } from "./live-grants";
import { parseDecisionId } from "./parse-id";
import type { PromptQueue } from "./queue";
import { type RunGrant, type RunGrants, runGrantId } from "./run-grants";
import type { ConsentStore } from "./store";
import {
  type ConsentAnswer,
  type ConsentAsker,
  type ConsentEffect,
  type ConsentPrompt,
  type ConsentReply,
  type ConsentRequest,
  type ConsentRow,
  type ConsentSubject,
  consentId,
  subjectOf,
} from "./types";

/** What answers in place of a person: only tests have one. */
export type ConsentPolicy = "ask" | "allow" | "deny";

export interface ConsentServiceDeps {
  store: ConsentStore;
  queue: PromptQueue;
  runs: RunGrants;
  /** How long a question waits for a person, in ms. */
  waitMs(): Promise<number>;
  /** The name that a subject has now; undefined when it is gone. */
  nameOf(subject: ConsentSubject): Promise<string | undefined>;
  /** Left out: a person is asked. */
  policy?(): Promise<ConsentPolicy>;
  /** Called when one of our pages begins to show the questions; returns what ends that. */
  viewing(page: PageCaller): () => void;
  now(): number;
}

/** Decides what may be done: from what was decided before, else by asking a person. */
export class ConsentService implements ConsentAsker {
  readonly #live = new LiveGrants();
  /** As they were when they were taken back, so that undo brings back their dates too. */
  readonly #revoked = new Map<string, ConsentRow>();
  readonly #revokedRuns = new Map<string, RunGrant>();

  constructor(private readonly deps: ConsentServiceDeps) {}

  /** What was decided for good about this effect of a subject on a host. */
  async decided(
    subject: ConsentSubject,
    effect: ConsentEffect,
    host: string,
  ): Promise<ConsentRow["decision"] | undefined> {
    return (await this.deps.store.find(consentId(subject, effect, host)))?.decision;
  }

  async known(request: ConsentRequest): Promise<ConsentReply | null> {
    const id = idOf(request);
    const row = await this.deps.store.find(id);
    if (row) {
      this.deps.store.used(row);
      return this.#reply(id, row.decision === "always");
    }
    if (await this.deps.runs.find(id, request.runId)) return this.#reply(id, true);
    const policy = (await this.deps.policy?.()) ?? "ask";
    return policy === "ask" ? null : this.#reply(id, policy === "allow");
  }

  async ask(
    request: ConsentRequest,
    options: { signal: AbortSignal; timeoutMs?: number },
  ): Promise<ConsentReply> {
    const known = await this.known(request);
    if (known) return known;
    const waitMs = options.timeoutMs ?? (await this.deps.waitMs());
    const outcome = await this.deps.queue.ask(
      presentable(request),
      options.signal,
      waitMs,
      async () => (await this.known(request))?.outcome ?? null,
    );
    return { outcome, signal: outcome === "allowed" ? this.#live.signal(idOf(request)) : NEVER };
  }

  handlers(): Handlers<ConsentContract, CallContext> {
    const { store, queue, runs } = this.deps;
    return {
      prompts: (_input, { caller, signal }) => this.#prompts(caller, signal),
      answer: ({ id, askedAt, answer }) =>
        queue.answer(id, answer, (prompt, waiting) => this.#remember(prompt, waiting, answer), askedAt),
      dismiss: ({ id }) => queue.dismiss(id),
      denyAll: ({ subject }) =>
        queue.refuseAll(subject as ConsentSubject, async (prompts) => {
          await store.put(prompts.map((prompt) => this.#row(prompt, "never")));
          this.#live.stop((id) => prompts.some((prompt) => prompt.id === id));
        }),
      decisions: (_input, { signal }) =>
        follow(
          () => this.#entries(),
          (listener) => listenToAll([store.onChange, runs.onChange], listener),
          signal,
        ),
      revoke: ({ ids }) => this.#revoke(ids),
      restore: ({ entries }) => this.#restore(entries),
    };
  }

  /** Ends what a subject asks and does now, as it was switched off or removed. What was decided about it stays. */
  async stop(subject: ConsentSubject): Promise<void> {
    this.#live.stop((id) => subjectOf(id) === subject);
    await this.deps.queue.refuseAll(subject, async () => undefined);
    await this.deps.runs.remove((grant) => grant.subject === subject);
  }

  /** Forgets all about a subject that is gone for good. */
  async forget(subject: ConsentSubject): Promise<void> {
    await this.stop(subject);
    await this.deps.store.removeSubject(subject);
  }

  /** Drops all that is kept for the session and what was read, after the tables were erased from outside. */
  async reset(): Promise<void> {
    this.deps.store.reset();
    this.#revoked.clear();
    this.#revokedRuns.clear();
    this.#live.stop(() => true);
    await this.deps.queue.reset();
    await this.deps.runs.remove(() => true);
  }

  async *#prompts(caller: CallContext["caller"], signal: AbortSignal): AsyncGenerator<ConsentPrompt[]> {
    const { queue } = this.deps;
    if (caller.kind !== "page") {
      throw new NamedError("PermissionDeniedError", "Only Moggy's own pages see what is asked.");
    }
    const left = this.deps.viewing(caller);
    try {
      yield* follow(
        () => queue.open(),
        (listener) => queue.onChange(listener),
        signal,
      );
    } finally {
      left();
    }
  }

  async #remember(prompt: ConsentPrompt, waiting: AskerRun[], answer: ConsentAnswer): Promise<void> {
    const { store, runs, now } = this.deps;
    if (answer === "always" || answer === "never") await store.put([this.#row(prompt, answer)]);
    if (answer === "never") this.#live.stop((id) => id === prompt.id);
    if (answer !== "run") return;
    const { subject, effect, host } = prompt;
    await runs.add(waiting.map((run) => ({ subject, effect, host, ...run, grantedAt: now() })));
  }

  async #entries(): Promise<ConsentEntry[]> {
    const { store, runs, nameOf } = this.deps;
    const [rows, grants] = await Promise.all([store.list(), runs.list()]);
    const entries: Array<Omit<ConsentEntry, "subjectName">> = [...rows, ...grants.map(entryOfGrant)];
    const subjects = [...new Set(entries.map(({ subject }) => subject))];
    const names = new Map(
      await Promise.all(subjects.map(async (subject) => [subject, await nameOf(subject)] as const)),
    );
    return entries
      .sort((a, b) => b.decidedAt - a.decidedAt)
      .map((entry) => ({ ...entry, subjectName: names.get(entry.subject) ?? "" }));
  }

  /** Takes decisions back, and stops what they allowed. A grant for a run goes with the lasting one and by itself. */
  async #revoke(ids: readonly string[]): Promise<void> {
    const { store, runs } = this.deps;
    for (const row of await store.remove(ids)) this.#revoked.set(row.id, row);
    const grants = await runs.remove((grant) => ids.includes(runGrantId(grant)) || ids.includes(idOf(grant)));
    for (const grant of grants) this.#revokedRuns.set(runGrantId(grant), grant);
    const stopped = new Set([...ids, ...grants.map(idOf)]);
    this.#live.stop((id) => stopped.has(id));
  }

  async #restore(entries: ReadonlyArray<{ id: string; decision: ConsentRow["decision"] }>): Promise<void> {
    const { store, runs, now } = this.deps;
    const rows: ConsentRow[] = [];
    const grants: RunGrant[] = [];
    for (const { id, decision } of entries) {
      const grant = this.#revokedRuns.get(id);
      if (grant) grants.push(grant);
      else {
        const row = this.#revoked.get(id) ?? { id, ...parseDecisionId(id), decidedAt: now() };
        rows.push({ ...row, decision });
      }
    }
    if (rows.length > 0) await store.put(rows);
    if (grants.length > 0) await runs.add(grants);
  }

  #row({ id, subject, effect, host }: ConsentPrompt, decision: ConsentRow["decision"]): ConsentRow {
    return { id, subject, effect, host, decision, decidedAt: this.deps.now() };
  }

  #reply(id: string, allowed: boolean): ConsentReply {
    return allowed
      ? { outcome: "allowed", signal: this.#live.signal(id) }
      : { outcome: "denied", signal: NEVER };
  }
}

/** What was not allowed cannot be taken back. */
const NEVER = new AbortController().signal;

function idOf({ subject, effect, host }: Pick<ConsentRequest, "subject" | "effect" | "host">): string {
  return consentId(subject, effect, host);
}

function entryOfGrant(grant: RunGrant): Omit<ConsentEntry, "subjectName"> {
  const { subject, effect, host, runId, pageUrl, grantedAt } = grant;
  const entry = { id: runGrantId(grant), subject, effect, host, runId, decidedAt: grantedAt };
  return { ...entry, decision: "always", ...(pageUrl === undefined ? {} : { pageUrl }) };
}
