import type { Responder, Turn } from "../../tests/servers/llm";

/** Where the models of all fixtures are. Below the ports that systems hand out by themselves, so that it is free. */
export const MODEL_PORT = 24_817;

/** A text in a message that makes the model keep the browser waiting, while the fixture is made. */
export const HOLD = "Take your time";
export const HELD_ANSWER = "I took my time.";
export const REFUSE = "Be refused";
export const USE_TOOL = "Write the note";

/**
 * What the fixtures' model says, by the state of the conversation.
 * @param holds whether it leaves those waiting who ask it to; never after an upgrade, so that a resumed run ends
 */
export function fixtureModel(holds: boolean): Responder {
  return ({ lastUserText, messages }): Turn => {
    if (lastUserText.includes(REFUSE))
      return {
        fault: { status: 400, body: { error: { message: "No, not this.", type: "invalid_request" } } },
      };
    if (lastUserText.includes(HOLD)) {
      return {
        text: ["I took ", HELD_ANSWER.slice("I took ".length)],
        ...(holds && { fault: { hangAfterDeltas: 1 } }),
      };
    }
    const wantsTool = lastUserText.includes(USE_TOOL) && messages.at(-1)?.role !== "tool";
    if (wantsTool)
      return { text: "I write it down.", toolCalls: [{ name: "write_note", args: { text: "Grüße 🐱" } }] };
    return { text: `You said: ${lastUserText}` };
  };
}
