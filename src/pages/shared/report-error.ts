import { useCallback } from "react";
import { type Services, useServices } from "../connect";

export interface PageError {
  /** What was being done or did not work, in the person's language. */
  during: string;
  error: Error;
  /** The page has told the person of it. */
  shown: boolean;
}

/** Refusals of what a person gave, told where they gave it: nothing went wrong. And those that no worker is left to hear of. */
const NO_FAULTS: ReadonlySet<string> = new Set([
  "AbortError",
  "DraftTooLargeError",
  "ExtensionGoneError",
  "FileTooLargeError",
  "InstallRefusedError",
  "InvalidModelError",
  "NotFoundError",
  "NotTextError",
]);

/** Whether an error belongs into the log. */
export function isFault(error: Error): boolean {
  return !NO_FAULTS.has(error.name);
}

/** Hands an error that a page saw to the log. Never rejects: a log that cannot be reached leaves it to the page's console. */
export function reportError({ log }: Services, { during, error, shown }: PageError): void {
  if (!isFault(error)) return;
  const { name, message, stack } = error;
  log
    .call("report", { source: `page:${pageName()}`, during, name, message, stack, shown })
    .catch((failure: unknown) => console.warn("An error could not be logged.", error, failure));
}

/** {@link reportError} of the page that a component is in. */
export function useReportError(): (error: PageError) => void {
  const services = useServices();
  return useCallback((error) => reportError(services, error), [services]);
}

/** Logs what nothing in the page catches. Elements that did not load, and notes of the browser without an error, are no faults of the code. */
export function watchUncaught(services: Services, during: () => string): void {
  window.addEventListener("error", ({ error }) => {
    if (error !== undefined && error !== null)
      reportError(services, { during: during(), error: asError(error), shown: false });
  });
  window.addEventListener("unhandledrejection", ({ reason }) =>
    reportError(services, { during: during(), error: asError(reason), shown: false }),
  );
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** `options` for options.html. */
function pageName(): string {
  return /([\w-]+)\.html$/.exec(window.location.pathname)?.[1] ?? "other";
}
