import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chatDialect } from "@/agent/core/models/wire/chat-dialect";
import { normaliseStream } from "@/agent/core/models/wire/normalise";
import { bytes, chunk, frame, normalised } from "../harness";

const STOP = chunk({}, "stop");
const DONE = "data: [DONE]\n\n";
const clean = (text: string, end?: Error) => normalised(chatDialect, text, undefined, end);
const failure = (kind: string, status: number | "", message = "") => ({
  error: { type: `moggy-failure:${kind}:${status}`, message },
});

describe("keep-alives", () => {
  it.each([
    ["a comment", ": PROCESSING\n\n"],
    ["a comment that a proxy wrapped in data", "data: : keepalive\n\n"],
    ["empty data", "data:\n\n"],
    ["a bare word", "data: ping\n\n"],
    ["a named event", "event: ping\ndata: {}\n\n"],
    ["a heartbeat with a time", 'event: heartbeat\ndata: {"t":1}\n\n'],
    ["a typed ping", 'data: {"type": "ping"}\n\n'],
  ])("C092 %s is ignored in the middle of an answer", async (_name, noise) => {
    const text = chunk({ content: "a" }) + noise + chunk({ content: "b" }) + noise + STOP + noise + DONE;
    expect(await clean(text)).toEqual(
      await clean(chunk({ content: "a" }) + chunk({ content: "b" }) + STOP + DONE),
    );
  });
});

describe("chunks without choices", () => {
  const usage = { prompt_tokens: 3, completion_tokens: 4 };
  it.each([
    ["an empty list", { choices: [], usage }],
    ["none at all", { usage }],
    ["null", { choices: null, usage }],
    ["a list with null", { choices: [null], usage }],
  ])("C091 choices that are %s keep their usage", async (_name, last) => {
    const out = await clean(chunk({ content: "a" }) + STOP + frame(last) + DONE);
    expect(out.at(-2)).toEqual({ choices: [], usage });
  });

  it("C091 a first chunk with only a content filter's verdict is passed over", async () => {
    const verdict = { id: "", choices: [], prompt_filter_results: [{ prompt_index: 0 }] };
    const text = chunk({ content: "a" }) + STOP + DONE;
    expect((await clean(frame(verdict) + text)).slice(1)).toEqual(await clean(text));
  });

  it("counts that are no numbers are left out", async () => {
    const odd = {
      choices: [],
      usage: { prompt_tokens: 3, completion_tokens: "4", prompt_tokens_details: { a: {} } },
    };
    expect((await clean(chunk({ content: "a" }) + STOP + frame(odd) + DONE)).at(-2)).toEqual({
      choices: [],
      usage: { prompt_tokens: 3 },
    });
  });
});

describe("deltas", () => {
  const content = async (choice: unknown) => (await clean(frame({ choices: [choice] }) + STOP + DONE))[0];

  it("a null delta, an empty finish reason and a foreign role do no harm", async () => {
    expect(await content({ delta: null, finish_reason: "" })).toEqual({
      choices: [{ index: 0, delta: {}, finish_reason: null }],
    });
    expect(await content({ delta: { role: "model", content: "a" } })).toMatchObject({
      choices: [{ delta: { content: "a" } }],
    });
  });

  it("a message in the place of a delta is taken as one", async () => {
    expect(await content({ message: { role: "assistant", content: "a" } })).toMatchObject({
      choices: [{ delta: { content: "a" } }],
    });
  });

  it("what is clean is passed on byte for byte", async () => {
    const odd = 'data: {"choices":[ {"delta":{"content":"\\u0061"} } ]}\n\n';
    const out = await new Response(normaliseStream(bytes(odd + STOP + DONE), chatDialect)).text();
    expect(out).toBe(odd + STOP + DONE);
  });
});

describe("the end of an answer", () => {
  it("a finish reason is enough, with or without [DONE]", async () => {
    const text = chunk({ content: "a" }) + STOP;
    expect(await clean(text)).toEqual(await clean(text + DONE));
  });

  it("[DONE] after content is enough, and brings the missing reason", async () => {
    expect((await clean(chunk({ content: "a" }) + DONE)).at(-2)).toEqual({
      choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
    });
  });

  it("nothing is read after [DONE], though the host keeps the connection open", async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (c) => c.enqueue(new TextEncoder().encode(chunk({ content: "a" }) + STOP + DONE)),
      cancel: () => {
        cancelled = true;
      },
    });
    await new Response(normaliseStream(body, chatDialect)).text();
    expect(cancelled).toBe(true);
  });

  it("an end without a reason is a broken stream, after the text that came", async () => {
    const out = await clean(chunk({ content: "a" }));
    expect(out).toHaveLength(2);
    expect(out[1]).toEqual(failure("broken-stream", ""));
  });

  it("a connection that breaks, or a frame that is cut off, is a broken stream", async () => {
    expect((await clean(chunk({ content: "a" }), new Error("reset"))).at(-1)).toEqual(
      failure("broken-stream", ""),
    );
    expect((await clean(`${chunk({ content: "a" })}data: {"choices":[{"del`)).at(-1)).toEqual(
      failure("broken-stream", ""),
    );
  });

  it("a connection that breaks after the finish reason loses nothing", async () => {
    const text = chunk({ content: "a" }) + STOP;
    expect(await clean(text, new Error("reset"))).toEqual(await clean(text + DONE));
  });

  it.each([
    ["no byte at all", ""],
    ["only comments", ": PROCESSING\n\n: PROCESSING\n\n"],
    ["only [DONE]", DONE],
    ["only an empty delta", chunk({ role: "assistant", content: "" })],
  ])("C097 %s is an error, not an empty answer", async (_name, text) => {
    expect((await clean(text)).at(-1)).toEqual(failure("empty-answer", ""));
  });
});

describe("errors inside a 200 stream", () => {
  it.each([
    ["OpenAI", { error: { message: "Out of cheese", type: "server_error", code: null } }, 500],
    ["OpenRouter", { error: { code: 502, message: "Out of cheese" }, choices: [] }, 502],
    ["Ollama", { error: "Out of cheese" }, ""],
    ["vLLM", { object: "error", message: "Out of cheese", type: "BadRequest", code: 503 }, 503],
  ] as const)("C097 the words of %s end the answer", async (_name, error, status) => {
    const out = await clean(chunk({ content: "a" }) + frame(error) + DONE);
    expect(out).toHaveLength(2);
    expect(out[1]).toEqual(failure("server", status, "Out of cheese"));
  });

  it("an event that is named error is one, whatever its shape", async () => {
    expect(await clean('event: error\ndata: {"message":"Out of cheese"}\n\n')).toEqual([
      failure("server", "", "Out of cheese"),
    ]);
  });

  it("plain words in the place of a frame are an error", async () => {
    expect(await clean("data: Internal Server Error\n\n")).toEqual([
      failure("server", "", "Internal Server Error"),
    ]);
  });

  it("error: null in an ordinary chunk is none", async () => {
    const text = frame({ error: null, choices: [{ delta: { content: "a" }, finish_reason: "stop" }] }) + DONE;
    expect(await clean(text)).toHaveLength(2);
  });
});

describe("bodies that are no event stream", () => {
  it("a whole answer in one piece of JSON is an answer", async () => {
    const whole = { choices: [{ message: { role: "assistant", content: "all" }, finish_reason: "stop" }] };
    for (const text of [JSON.stringify(whole), JSON.stringify(whole, null, 2)]) {
      expect(await clean(text)).toMatchObject([{ choices: [{ delta: { content: "all" } }] }, "[DONE]"]);
    }
  });

  it("an error in JSON is an error; other JSON and a web page are no API", async () => {
    expect(await clean('{"error": {"message": "no", "type": "authentication_error"}}')).toEqual([
      failure("key", 401, "no"),
    ]);
    expect(await clean('{"status": "ok"}')).toEqual([failure("not-an-api", "", '{"status": "ok"}\n')]);
    expect(await clean("<!doctype html>\n<title>x</title>")).toEqual([failure("not-an-api", "")]);
  });
});

describe("any split of the bytes", () => {
  const text =
    ": hi\r\n\r\n" +
    chunk({ role: "assistant", content: "" }) +
    chunk({ reasoning_content: "思考🧠" }) +
    chunk({ content: "é日本🐱" }) +
    chunk({ tool_calls: [{ id: "a", function: { name: "t", arguments: "" } }] }) +
    chunk({ tool_calls: [{ function: { arguments: '{"x":"日🐱"}' } }] }) +
    chunk({}, "tool_calls") +
    frame({ usage: { prompt_tokens: 1 } }) +
    DONE;

  it("C094 gives the same frames", async () => {
    const whole = await clean(text);
    expect(JSON.stringify(whole)).not.toContain("\uFFFD");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }),
        async (sizes) => {
          expect(await normalised(chatDialect, text, sizes)).toEqual(whole);
        },
      ),
      { numRuns: 60 },
    );
  });
});
