import type { LanguageModelV3, LanguageModelV3CallOptions, SharedV3ProviderMetadata } from "@ai-sdk/provider";
import type { ModelRequest, ResolvedModel } from "../types";
import type { Dialect } from "../wire/dialect";
import type { Fetch } from "../wire/model-fetch";

/** One wire protocol: how a call is made, and how its answer is read. Adding one is a file here and a line in `index.ts`. */
export interface Provider {
  dialect: Dialect;
  /** The provider package's model, which must get nothing but `fetch` for its network. */
  languageModel(model: ResolvedModel, fetch: Fetch): LanguageModelV3;
  /** The request in the package's form; everything but the abort signal. */
  callOptions(request: ModelRequest, model: ResolvedModel): LanguageModelV3CallOptions;
  /** Headers that say who calls, for requests beside the package. */
  headers(model: ResolvedModel): Record<string, string>;
  /** The query of the request for the list of models; a page is asked for by adding to it. */
  listQuery: string;
  /** What of a reasoning block has to come back next turn, from the metadata of the block and of the whole answer. */
  thinkingData(block: Metadata, answer: Metadata): Record<string, unknown> | undefined;
  /**
   * What of a tool call has to come back next turn, from the metadata of the whole answer. A provider that has it gives its calls
   * out at the end of the answer.
   */
  callData?(answer: Metadata, callId: string): Record<string, unknown> | undefined;
}

export type Metadata = SharedV3ProviderMetadata | undefined;
