import { isRecord } from "../../errors/vendor-error";
import { data, type Quirk, type WireEvent } from "../events";

/**
 * Judges how an answer ended: `message_stop`, or an end after the stop reason has been given, is whole; anything else is a
 * broken stream, and an end without any event an empty answer (C098). Blocks that were not closed are closed first,
 * since the provider package hands a tool call over only then.
 */
export function messagesFinish(): Quirk {
  const open = new Set<unknown>();
  let started = false;
  let reasonSeen = false;

  const closing = (): WireEvent[] => {
    const frames = [...open].map((index) => data({ type: "content_block_stop", index }));
    open.clear();
    return frames;
  };

  const ending = (event: WireEvent & { kind: "done" | "eof" }): WireEvent[] => {
    if (reasonSeen) return [...closing(), data({ type: "message_stop" }), { kind: "done" }];
    if (started) {
      const cause = event.kind === "eof" ? event.cause : undefined;
      return [{ kind: "fail", failure: { failure: "broken-stream", cause } }];
    }
    const isCut = event.kind === "eof" && event.cause !== undefined;
    return [{ kind: "fail", failure: { failure: isCut ? "broken-stream" : "empty-answer" } }];
  };

  return (event) => {
    if (event.kind === "done" || event.kind === "eof") return ending(event);
    if (event.kind === "fail") return [event];
    const { json } = event;
    started = true;
    switch (json.type) {
      case "content_block_start":
        open.add(json.index);
        return [event];
      case "content_block_stop":
        return open.delete(json.index) ? [event] : [];
      case "message_delta":
        if (isRecord(json.delta) && json.delta.stop_reason) reasonSeen = true;
        return [...closing(), event];
      case "message_stop":
        return [...closing(), event, { kind: "done" }];
      default:
        return [event];
    }
  };
}
