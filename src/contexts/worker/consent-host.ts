import type { ConsentDeps } from "@/consent";
import { OPENED_KEY, type Opened } from "@/consent/opened";
import type { ConsentService } from "@/consent/service";
import type { ConsentAsker, ConsentSubject } from "@/consent/types";
import type { PromptWindows } from "@/platform/prompt-window";
import { LazyScript } from "./lazy-script";

/** What consent.js leaves for core.js. */
export interface ConsentModule {
  create(deps: ConsentDeps): ConsentService;
}

declare global {
  var moggyConsent: ConsentModule | undefined;
}

/** Consent, as the rest of the worker uses it. */
export interface ConsentDoor extends ConsentAsker, Pick<ConsentService, "decided"> {
  /** Ends what a subject asks and does now. */
  stop(subject: ConsentSubject): Promise<void>;
  /** Forgets all about a subject that is gone for good. */
  forget(subject: ConsentSubject): Promise<void>;
  reset(): Promise<void>;
}

/** To be called while the worker's script is evaluated: the window for questions, closed by hand, can be what wakes the worker. */
export function createConsentDoor(deps: ConsentDeps): ConsentDoor {
  const script = new LazyScript("consent.js", () => globalThis.moggyConsent);
  let loaded: ConsentService | undefined;
  let closed: (id: number) => void = () => undefined;
  const windows: PromptWindows = {
    ...deps.windows,
    onClosed: (listener) => {
      closed = listener;
    },
  };
  const load = (): ConsentService => {
    loaded ??= script.load().create({ ...deps, windows });
    return loaded;
  };
  deps.windows.onClosed((id) => {
    if (loaded) return closed(id);
    deps.session.get<Opened>(OPENED_KEY).then(
      (opened) => {
        if (opened?.windowId !== id) return;
        load();
        closed(id);
      },
      (error: unknown) => deps.report("Looking whether the window for questions was closed", error),
    );
  });
  deps.router.registerLazy("consent.", async () => void load());
  return {
    known: (request) => load().known(request),
    ask: (request, options) => load().ask(request, options),
    decided: (subject, effect, host) => load().decided(subject, effect, host),
    stop: (subject) => load().stop(subject),
    forget: (subject) => load().forget(subject),
    reset: () => load().reset(),
  };
}
