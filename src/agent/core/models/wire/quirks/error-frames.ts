import { streamFailure } from "../../errors/model-failure";
import { streamErrorOf } from "../../errors/vendor-error";
import type { Quirk } from "../events";

/** An error object inside a 200 stream, in any vendor's shape, ends the answer with the vendor's words (C097, C098). */
export function errorFrames(): Quirk {
  return (event) => {
    if (event.kind !== "data") return [event];
    const vendor = streamErrorOf(event.json, event.name);
    return vendor ? [{ kind: "fail", failure: streamFailure(vendor) }] : [event];
  };
}
