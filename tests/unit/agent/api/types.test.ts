/// <reference path="../../../../src/types/cat-agent.d.ts" />
import { describe, expectTypeOf, it } from "vitest";
import type { OpfsApi } from "@/agent/api/opfs";
import type * as api from "@/agent/api/types";
import type * as contract from "@/agent/contract/conversation";
import type * as models from "@/agent/contract/models";

/** The published types are what scripts are promised; the code's own must keep that promise. Checked by the compiler. */
describe("the published types and the code's", () => {
  it("agree on what scripts get", () => {
    expectTypeOf<api.ConversationApi>().toExtend<CATAgent.ConversationAPI>();
    expectTypeOf<api.ConversationInstance>().toExtend<CATAgent.ConversationInstance>();
    expectTypeOf<api.ModelApi>().toExtend<CATAgentModel.ModelAPI>();
    expectTypeOf<OpfsApi>().toExtend<CATAgentOPFS.OPFSAPI>();
    expectTypeOf<contract.StreamChunk>().toExtend<CATAgent.StreamChunk>();
    expectTypeOf<contract.ChatReply>().toExtend<CATAgent.ChatReply>();
    expectTypeOf<contract.ChatMessage>().toExtend<CATAgent.ChatMessage>();
    expectTypeOf<contract.ToolCallInfo>().toExtend<CATAgent.ToolCallInfo>();
    expectTypeOf<models.ModelSummary>().toEqualTypeOf<CATAgentModel.ModelSummary>();
  });

  it("agree on what scripts give", () => {
    expectTypeOf<CATAgent.ConversationCreateOptions>().toExtend<api.ConversationCreateOptions>();
    expectTypeOf<CATAgent.ChatOptions>().toExtend<api.ChatOptions>();
    expectTypeOf<CATAgent.ToolDefinition>().toExtend<api.ToolDefinition>();
    expectTypeOf<CATAgent.MessageContent>().toEqualTypeOf<contract.MessageContent>();
    expectTypeOf<CATAgent.Budget>().toExtend<NonNullable<contract.TurnInput["budget"]>>();
  });

  it("agree on every word that is one of a few", () => {
    expectTypeOf<contract.ErrorCode>().toEqualTypeOf<CATAgent.ErrorCode>();
    expectTypeOf<contract.StreamChunk["type"]>().toEqualTypeOf<CATAgent.StreamChunk["type"]>();
    expectTypeOf<contract.ToolCallInfo["status"]>().toEqualTypeOf<CATAgent.ToolCallInfo["status"]>();
    expectTypeOf<contract.ChatMessage["role"]>().toEqualTypeOf<CATAgent.ChatMessage["role"]>();
    expectTypeOf<contract.TokenUsage>().toEqualTypeOf<CATAgent.TokenUsage>();
  });

  it("have the same members", () => {
    expectTypeOf<keyof api.ConversationInstance>().toEqualTypeOf<keyof CATAgent.ConversationInstance>();
    expectTypeOf<keyof api.ConversationApi>().toEqualTypeOf<keyof CATAgent.ConversationAPI>();
    expectTypeOf<keyof api.ConversationCreateOptions>().toEqualTypeOf<
      keyof CATAgent.ConversationCreateOptions
    >();
    expectTypeOf<keyof api.ChatOptions>().toEqualTypeOf<keyof CATAgent.ChatOptions>();
    expectTypeOf<keyof contract.ChatReply>().toEqualTypeOf<keyof CATAgent.ChatReply>();
    expectTypeOf<keyof contract.ChatMessage>().toEqualTypeOf<keyof CATAgent.ChatMessage>();
  });
});
