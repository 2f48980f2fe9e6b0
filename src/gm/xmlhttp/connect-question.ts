import type { ConsentOutcome, ConsentRequest } from "@/consent/types";
import type { ScriptCaller } from "@/rpc/caller";
import { NamedError } from "@/rpc/errors";
import { type ConnectPolicy, type ConnectVerdict, shorten } from "./connect-policy";
import type { Target } from "./redirects";

/** A request that nobody has allowed yet. */
export type ConnectQuestion = Extract<ConnectVerdict, { allowed: false }> & {
  target: Target;
  policy: Pick<ConnectPolicy, "scriptName">;
};

/** Whether an owner is a kind of run, which no script began, and not a script. */
export function isRunKind(owner: string): owner is `run:${string}` {
  return owner.startsWith("run:");
}

/** As a person is asked it: who and what, from the worker's own records and the address as the URL parser spells it. */
export function questionOf(
  { effect, host, target, policy }: ConnectQuestion,
  caller: ScriptCaller,
): ConsentRequest {
  return {
    subject: isRunKind(caller.uuid) ? caller.uuid : `script:${caller.uuid}`,
    subjectName: policy.scriptName,
    effect,
    host,
    detail: `${target.method} ${target.url.href}`,
    runId: caller.documentId,
    // A script in the background has no page.
    ...(caller.url === "" ? {} : { pageUrl: caller.url, tabId: caller.tabId }),
  };
}

/** What the script is told when the answer was not yes. */
export function refusalOf(
  { host, why, target, policy }: ConnectQuestion,
  outcome: Exclude<ConsentOutcome, "allowed">,
): NamedError {
  const may = `"${policy.scriptName}" may not request ${shorten(target.url.href)}`;
  const line = `add this line to the script's metadata: // @connect ${host}`;
  if (outcome === "waiting") {
    return new NamedError(
      "ConsentWaitingError",
      `${may} yet: ${why}, and nobody answered the question whether it may. The question rests on the Consent page of Moggy's options; once it is answered, try again. To do without it, ${line}`,
      { code: "consent_waiting", data: { host } },
    );
  }
  return new NamedError(
    "PermissionDeniedError",
    `${may}: ${why}, and the answer to the question whether it may was no. A lasting answer can be changed on the Consent page of Moggy's options. To allow it for everybody, ${line}`,
    { code: "connect_denied", data: { host } },
  );
}
