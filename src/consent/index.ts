import type { MoggyDatabase } from "@/platform/db";
import type { PromptWindows } from "@/platform/prompt-window";
import type { SessionStorage } from "@/platform/session-storage";
import type { Router } from "@/rpc/server";
import { consentContract } from "./contract";
import { displayName } from "./display";
import { PromptWindow } from "./prompt-window";
import { PromptQueue } from "./queue";
import { RunGrants } from "./run-grants";
import { type ConsentPolicy, ConsentService } from "./service";
import { ConsentStore } from "./store";
import type { ConsentPrompt, ConsentSubject } from "./types";

export interface ConsentDeps {
  router: Router;
  db: Pick<MoggyDatabase, "consents">;
  session: SessionStorage;
  windows: PromptWindows;
  /** Ids of the documents that a tab shows now. */
  documents(tabId: number): Promise<ReadonlySet<string>>;
  /** The name of an installed script. */
  scriptName(uuid: string): Promise<string | undefined>;
  waitSeconds(): Promise<number>;
  /** Answers in place of a person: for tests. */
  policy?(): Promise<ConsentPolicy>;
  /** So many questions are open now, the resting ones included. */
  onOpen(count: number): void;
  /** A question rests since nobody answered it in time. */
  onUnattended(prompt: ConsentPrompt): void;
  /** For what fails and has no caller who could be told. */
  report(during: string, error: unknown): void;
  now(): number;
}

/** Consent in the worker. To be called while its script is evaluated; reads nothing before something asks. */
export function createConsent(deps: ConsentDeps): ConsentService {
  const { session, now } = deps;
  const queue = new PromptQueue({ session, report: deps.report, now });
  const window = new PromptWindow({ windows: deps.windows, queue, session, report: deps.report });
  queue.onChange(() => {
    queue.open().then(
      (prompts) => deps.onOpen(prompts.length),
      (error: unknown) => deps.report("Counting the open questions", error),
    );
  });
  queue.onUnattended((prompts) => {
    for (const prompt of prompts) deps.onUnattended(prompt);
  });
  const service = new ConsentService({
    store: new ConsentStore(deps.db, now, deps.report),
    queue,
    runs: new RunGrants(session, deps.documents),
    waitMs: async () => (await deps.waitSeconds()) * 1000,
    nameOf: async (subject: ConsentSubject) => {
      // A kind of run is always there, and its kind is its name.
      if (!subject.startsWith("script:")) return displayName(subject.slice("run:".length));
      const name = await deps.scriptName(subject.slice("script:".length));
      return name === undefined ? undefined : displayName(name);
    },
    policy: deps.policy,
    viewing: (page) => window.viewing(page),
    now,
  });
  deps.router.register(consentContract, service.handlers());
  return service;
}
