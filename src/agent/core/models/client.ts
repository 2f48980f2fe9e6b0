import { AnswerReader } from "./answer";
import { modelError } from "./errors/model-failure";
import { toModelError } from "./errors/to-model-error";
import { PROVIDERS } from "./providers";
import type { Provider } from "./providers/provider";
import {
  type ModelClient,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type ResolvedModel,
} from "./types";
import { type HostDeps, modelFetch } from "./wire/model-fetch";

/** What a client is made with; `now` is the clock for Retry-After dates. */
export interface ClientDeps {
  fetch: typeof fetch;
  now?(): number;
}

/**
 * The client of one model. It makes exactly one request a call: who wants repetition repeats the call.
 * @throws ModelError when the config names a provider that there is none of
 */
export function createModelClient(model: ResolvedModel, deps: ClientDeps): ModelClient {
  const provider = providerOf(model);
  const host: HostDeps = { fetch: deps.fetch, now: deps.now ?? Date.now };
  const languageModel = provider.languageModel(model, modelFetch(host, model, provider.dialect));

  return {
    async *stream(request, signal) {
      try {
        signal.throwIfAborted();
        // Raw frames are asked for, since they tell how to take merged deltas apart again.
        const options = {
          ...provider.callOptions(request, model),
          abortSignal: signal,
          includeRawChunks: true,
        };
        const { stream } = await languageModel.doStream(options);
        yield* events(stream, new AnswerReader(provider, callIds(request)), model, signal);
      } catch (error) {
        throw signal.aborted ? abortOf(signal) : toModelError(error, model);
      }
    },
  };
}

type PartStream = Awaited<ReturnType<ReturnType<Provider["languageModel"]>["doStream"]>>["stream"];

async function* events(
  stream: PartStream,
  answer: AnswerReader,
  model: ResolvedModel,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value: part } = await reader.read();
      if (signal.aborted) throw abortOf(signal);
      if (done) throw modelError({ failure: "broken-stream" }, model);
      if (part.type === "error") throw toModelError(part.error, model);
      for (const event of answer.read(part)) {
        yield event;
        if (event.type === "finish") return;
      }
    }
  } finally {
    // Frees the connection when the reader of the events stops early; after a failure there is nothing left to free.
    await reader.cancel().catch(ignoreEndedStream);
  }
}

function ignoreEndedStream(): void {
  // A stream that has failed rejects its cancellation with the failure that is being reported already.
}

/** The provider of a model config. @throws ModelError when this version has none of that name. */
export function providerOf(model: ResolvedModel): Provider {
  const found = Object.entries(PROVIDERS).find(([id]) => id === model.provider);
  if (found) return found[1];
  throw new ModelError(
    `“${model.name}” uses the provider “${model.provider}”, which this version does not know. ` +
      `Choose one of ${Object.keys(PROVIDERS).join(", ")} in Moggy's options, under Models.`,
    { code: "api_error", failure: "request", retryable: false },
  );
}

function callIds(request: ModelRequest): Set<string> {
  const parts = request.messages.flatMap((m) => (m.role === "assistant" ? m.content : []));
  return new Set(parts.flatMap((part) => (part.type === "tool-call" ? [part.id] : [])));
}

function abortOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error
    ? signal.reason
    : new DOMException("The model call was aborted.", "AbortError");
}
