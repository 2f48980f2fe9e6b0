import type { LogInput } from "./types";

/** The part of a global scope that errors nobody caught are heard in. */
type Scope = Pick<EventTarget, "addEventListener">;

/** Logs the errors and rejections of a context that nothing in it has caught: faults of the product itself. */
export function watchUncaught(scope: Scope, add: (input: Pick<LogInput, "during" | "error">) => void): void {
  scope.addEventListener("error", (event) => {
    const { error, message } = event as ErrorEvent;
    // Elements that did not load are told by events without an error; they are no fault of the code.
    if (error !== undefined || message) add({ during: "Running Moggy’s own code", error: error ?? message });
  });
  scope.addEventListener("unhandledrejection", (event) => {
    add({ during: "Running Moggy’s own code", error: (event as PromiseRejectionEvent).reason });
  });
}
