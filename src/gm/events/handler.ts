import type { CallContext, ScriptCaller } from "@/rpc/caller";
import { NamedError } from "@/rpc/errors";
import type { GmHost } from "../host";
import { LIST_GRANTS, LISTEN_GRANTS, READ_GRANTS } from "../values/contract";
import type { ValueStore } from "../values/store";
import { eventsContract, type ScriptEvent } from "./contract";
import type { EventHub, Target } from "./hub";
import { splitResync } from "./outbox";

const FOLLOW_GRANTS = [...READ_GRANTS, ...LIST_GRANTS, ...LISTEN_GRANTS];

/** The worker half of the stream of events. */
export function registerEvents(host: GmHost, hub: EventHub, values: ValueStore<Target>): void {
  host.router.register(eventsContract, {
    subscribe: ({ revision }, { caller, signal }: CallContext) => {
      if (caller.kind !== "script")
        throw new NamedError("PermissionDeniedError", "Only scripts have events.");
      if (revision !== undefined && !FOLLOW_GRANTS.some((grant) => caller.grants.has(grant))) {
        throw new NamedError(
          "PermissionDeniedError",
          `The script has no @grant for following values. It needs one of: ${FOLLOW_GRANTS.join(", ")}.`,
        );
      }
      return events(caller, revision, signal, hub, values);
    },
  });
}

async function* events(
  caller: ScriptCaller,
  known: number | undefined,
  signal: AbortSignal,
  hub: EventHub,
  values: ValueStore<Target>,
): AsyncGenerator<ScriptEvent> {
  const target: Target = { tabId: caller.tabId, documentId: caller.documentId, uuid: caller.uuid };
  // Open before the first look at the store, so that no write falls between the two.
  const outbox = hub.open(target, known !== undefined);
  const leave = () => hub.close(target, outbox);
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  let revision = known ?? -1;
  try {
    let behind = known !== undefined;
    while (!outbox.ended) {
      if (behind) {
        const news = await values.since(target.uuid, revision);
        if (news) yield* splitResync(news.entries, news.keys, news.revision);
        if (news) revision = news.revision;
      }
      for (let event = outbox.take(); event; event = outbox.take()) {
        yield event;
        if (event.type === "values" && !event.more) revision = Math.max(revision, event.revision);
      }
      behind = outbox.takeLag();
      if (!behind) await outbox.ready();
    }
  } finally {
    signal.removeEventListener("abort", leave);
    leave();
  }
}
