import { isRecord } from "../errors/vendor-error";
import type { Dialect } from "./dialect";
import { inBandError } from "./in-band";
import { chatChoices } from "./quirks/chat-choices";
import { chatFinish } from "./quirks/chat-finish";
import { chatToolCalls } from "./quirks/chat-tool-calls";
import { errorFrames } from "./quirks/error-frames";

/** OpenAI chat completions, as OpenAI and its many imitators speak it. */
export const chatDialect: Dialect = {
  quirks: [errorFrames, chatChoices, () => chatToolCalls(), chatFinish],
  failureFrame: (failure) => ({ error: inBandError(failure) }),
  end: "[DONE]",
  framesOfWhole(body) {
    const choice = Array.isArray(body.choices) ? body.choices.find(isRecord) : undefined;
    if (!choice || !(isRecord(choice.message) || isRecord(choice.delta))) return null;
    return [body];
  },
};
