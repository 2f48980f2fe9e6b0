import { conversationApi } from "@/agent/api/conversation";
import { modelApi } from "@/agent/api/model";
import type { RuntimePart } from "../part";

export default { areas: { conversation: conversationApi, model: modelApi } } satisfies RuntimePart;
