export { Gate } from "./gate";
export { type LlmServer, type LlmServerOptions, startLlmServer } from "./server";
export { burst } from "./turns";
export type {
  ChatMessage,
  ChatRequest,
  Counters,
  Fault,
  GateRef,
  RecordedRequest,
  Responder,
  ScriptedToolCall,
  ToolOffer,
  Turn,
  Usage,
} from "./types";
