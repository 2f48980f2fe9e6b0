import { NamedError } from "@/rpc/errors";

/** The signals by which what was allowed is stopped when it is taken back: one for each question, shared by all its askers. */
export class LiveGrants {
  readonly #controllers = new Map<string, AbortController>();

  /** The signal that aborts when the answer to this question is taken back. */
  signal(id: string): AbortSignal {
    let controller = this.#controllers.get(id);
    if (!controller) {
      controller = new AbortController();
      this.#controllers.set(id, controller);
    }
    return controller.signal;
  }

  /** Stops all that goes on by what was allowed to the questions that `concerns` picks. */
  stop(concerns: (id: string) => boolean): void {
    for (const [id, controller] of [...this.#controllers]) {
      if (!concerns(id)) continue;
      this.#controllers.delete(id);
      controller.abort(
        new NamedError(
          "PermissionDeniedError",
          "What allowed this was taken back while it was under way, so it was stopped. Moggy's options show what is allowed, under Consent.",
          { code: "consent_revoked" },
        ),
      );
    }
  }
}
