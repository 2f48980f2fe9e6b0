import type { OffscreenLink } from "@/offscreen/types";
import type { SessionStorage } from "@/platform/session-storage";
import type { Router } from "@/rpc/server";
import { acceptMux } from "@/rpc/transports/mux";
import type { PortLike } from "@/rpc/transports/port";
import { BackgroundService, type WantedBackground } from "./background-service";
import { BackgroundStateStore } from "./background-state";
import { SandboxCallers } from "./callers";
import { backgroundContract } from "./contract/background";
import { sandboxEventsContract } from "./contract/events";
import type { SandboxHostContract } from "./contract/host";
import { type Sandbox, SandboxService } from "./service";
import { type GuestPayload, isSandboxDocument, SANDBOX_DOCUMENT } from "./types";

export interface SandboxDeps {
  router: Router;
  offscreen: OffscreenLink;
  session: SessionStorage;
  version: string;
  /** Resolves when `grantsOf` can answer. */
  scriptsRead(): Promise<unknown>;
  /** The grants that an installed and enabled script has now. */
  grantsOf(uuid: string): readonly string[] | undefined;
  /** Background scripts that are installed, enabled and not paused. */
  wanted(): Promise<WantedBackground[]>;
  payload(uuid: string): Promise<GuestPayload>;
  recordError(error: { uuid: string; message: string; stack?: string }): Promise<void>;
  report(during: string, error: unknown): void;
  /** The state of some background script changed. */
  onChange(): void;
  /** Wakes the worker from time to time while it is on: see BackgroundServiceDeps. */
  watch(on: boolean): Promise<void>;
  now(): number;
}

/** The worker's half of the sandbox. */
export interface SandboxParts {
  sandbox: Sandbox;
  background: BackgroundService;
  /** To be called with each port of the offscreen document over which sandboxed code calls the API. */
  accept(port: PortLike): void;
  /** Ids of the documents in the sandbox that may call. */
  documents(): Promise<ReadonlySet<string>>;
  /** Asks one of them to come back, since the worker has something for it; false when it is gone. */
  wake(documentId: string): Promise<boolean>;
  /** Does something that waits for a person; the time of the run that this document id stands for does not count until then. */
  whileAsking<T>(documentId: string | undefined, work: () => Promise<T>): Promise<T>;
}

/** Composes the sandbox in the worker. Nothing is done yet. */
export function createSandbox(deps: SandboxDeps): SandboxParts {
  const { router, offscreen, session, now, report } = deps;
  const { scriptsRead, grantsOf } = deps;
  const callers = new SandboxCallers({ session, scriptsRead, grantsOf, newToken: randomToken, now });
  const sandbox = new SandboxService({ offscreen, callers, version: deps.version, now, report });
  const background = new BackgroundService({
    ...deps,
    callers,
    state: new BackgroundStateStore(session),
  });
  router.register(sandboxEventsContract, {
    error: (error) => deps.recordError(error),
    failed: (failure) => background.failed(failure),
    fell: (fall) => background.fell(fall),
  });
  router.register(backgroundContract, {
    console: ({ uuid }) => background.console(uuid),
    startNow: ({ uuid }) => background.startNow(uuid),
  });
  return {
    sandbox,
    background,
    accept: (port) => {
      port.onDisconnect.addListener(() => background.lost());
      acceptMux(
        port,
        (token) => callers.identify(token),
        (transport, caller) => router.serve(transport, caller),
      );
    },
    documents: () => callers.documents(),
    wake: (documentId) =>
      offscreen.of<SandboxHostContract>("sandbox.host").call("wake", { documentId }, { repeatable: true }),
    whileAsking: async (documentId, work) => {
      if (documentId === undefined || !isSandboxDocument(documentId)) return work();
      const release = sandbox.waitForPerson(documentId.slice(SANDBOX_DOCUMENT.length));
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

/** 192 random bits. */
function randomToken(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))));
}
