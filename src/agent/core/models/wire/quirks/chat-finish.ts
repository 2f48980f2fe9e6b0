import { isRecord } from "../../errors/vendor-error";
import { data, type Quirk, type WireEvent } from "../events";

/**
 * Judges how an answer ended. A finish reason is the proof that it is whole; `[DONE]` after some content is as good, and gets
 * the reason that the host left out. An end without either is a broken stream, an end without any content an empty answer (C097).
 */
export function chatFinish(): Quirk {
  let reasonSeen = false;
  let contentSeen = false;
  let callsSeen = false;

  const ending = (event: WireEvent & { kind: "done" | "eof" }): WireEvent[] => {
    if (reasonSeen) return [{ kind: "done" }];
    if (!contentSeen && !callsSeen) {
      const isCut = event.kind === "eof" && event.cause !== undefined;
      return [{ kind: "fail", failure: { failure: isCut ? "broken-stream" : "empty-answer" } }];
    }
    if (event.kind === "eof")
      return [{ kind: "fail", failure: { failure: "broken-stream", cause: event.cause } }];
    const finish_reason = callsSeen ? "tool_calls" : "stop";
    return [data({ choices: [{ index: 0, delta: {}, finish_reason }] }), event];
  };

  return (event) => {
    if (event.kind === "done" || event.kind === "eof") return ending(event);
    if (event.kind === "data") {
      const choice = (event.json.choices as unknown[] | undefined)?.[0];
      if (isRecord(choice)) {
        if (choice.finish_reason) reasonSeen = true;
        const delta = isRecord(choice.delta) ? choice.delta : {};
        if (delta.content || delta.reasoning_content || delta.reasoning || delta.refusal) contentSeen = true;
        if (Array.isArray(delta.tool_calls)) callsSeen = true;
      }
    }
    return [event];
  };
}
