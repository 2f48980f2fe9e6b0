import { Transcript } from "@tests/fixtures/agent/engine-kit";
import { fullStack } from "@tests/fixtures/agent/full-stack";
import { Random } from "@tests/fixtures/agent/random";
import { type Answer, roundOf } from "@tests/fixtures/agent/scripted-model";
import { expect, it } from "vitest";
import type { ToolDefinition } from "@/agent/api/types";
import type { ModelRequest } from "@/agent/core/models/types";

const TEXTS = ["I look at it first. ", "Then I write it down. ", "All is done now, 全部完成."];

function answer(request: ModelRequest): Answer {
  const round = roundOf(request);
  const calls = [
    [
      { id: "a", name: "read" },
      { id: "b", name: "read" },
    ],
    [{ id: "c", name: "write" }],
  ][round];
  return { thinking: `round ${round}`, text: TEXTS[round], calls, chunk: 3, delay: 3 };
}

/** One streamed turn with tool calls in a script, and a worker that dies `deaths` times in it. */
async function play(seed: number, ephemeral: boolean) {
  const random = new Random(seed);
  const stack = fullStack(answer);
  const count = 1 + random.below(3);
  for (let i = 0; i < count; i++) {
    if (random.chance(0.5))
      stack.deaths.push({ atCall: 1 + random.below(8), when: random.pick(["before", "after"]) });
  }
  const timers = Array.from({ length: count }, () => setTimeout(() => stack.kill(), random.below(250)));
  try {
    const { conversation } = stack.script("s");
    const effects: string[] = [];
    const tool = (name: string, effect: ToolDefinition["effect"]): ToolDefinition => ({
      name,
      description: name,
      parameters: { type: "object" },
      effect,
      handler: async () => {
        effects.push(name);
        await new Promise((resolve) => setTimeout(resolve, random.below(40)));
        return `${name} was done`;
      },
    });
    const conv = await conversation.create({
      ephemeral,
      tools: [tool("read", "read"), tool("write", "write")],
    });
    const transcript = new Transcript();
    for await (const chunk of await conv.chatStream("Do it.")) transcript.take(chunk);
    const messages = await conv.getMessages();
    const workers = stack.workers();
    return { transcript, messages, effects, workers, errors: [...stack.errors, ...stack.reports] };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    await stack.close();
  }
}

it.each([false, true])(
  "24 turns with workers that die at random instants end right (ephemeral: %s)",
  async (ephemeral) => {
    const seeds = Array.from({ length: 24 }, (_, i) => i + 1);
    const results = await Promise.all(seeds.map((seed) => play(seed, ephemeral)));
    expect(results.reduce((sum, { workers }) => sum + workers, 0)).toBeGreaterThan(48);
    for (const [i, { transcript, messages, effects, errors }] of results.entries()) {
      const context = `seed ${seeds[i]}`;
      expect(errors, context).toEqual([]);
      expect(transcript.chunks.at(-1)?.type, context).toBe("done");
      expect(
        transcript.messages.map(({ text }) => text),
        context,
      ).toEqual(TEXTS);
      expect(effects.sort(), context).toEqual(["read", "read", "write"]);
      expect(
        messages.map((message) => [message.role, message.content]),
        context,
      ).toEqual([
        ["user", "Do it."],
        ["assistant", TEXTS[0]],
        ["tool", "read was done"],
        ["tool", "read was done"],
        ["assistant", TEXTS[1]],
        ["tool", "write was done"],
        ["assistant", TEXTS[2]],
      ]);
    }
  },
  60_000,
);
