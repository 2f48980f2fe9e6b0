import type { WireError } from "./answer";

type Json = Record<string, unknown>;

const ROLES = new Set(["system", "developer", "user", "assistant", "tool"]);
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Refuses what the vendor refuses, so that a client that sends a broken history fails here too.
 * Source: OpenAI API reference, "Create chat completion", and the texts of its 400 answers.
 * @returns the error to answer with, or undefined when the request is sound
 */
export function checkOpenAi(body: Json): WireError | undefined {
  if (typeof body.model !== "string" || body.model === "")
    return bad("you must provide a model parameter", "model");
  if (!Array.isArray(body.messages) || body.messages.length === 0) {
    return bad("Invalid 'messages': empty array. Expected an array with minimum length 1.", "messages");
  }
  return checkTools(body.tools) ?? checkMessages(body.messages);
}

function checkTools(tools: unknown): WireError | undefined {
  if (tools === undefined) return undefined;
  if (!Array.isArray(tools) || tools.length === 0) {
    return bad("Invalid 'tools': empty array. Expected an array with minimum length 1.", "tools");
  }
  const names = new Set<string>();
  for (const [at, tool] of (tools as Json[]).entries()) {
    const fn = tool.function as Json | undefined;
    if (tool.type !== "function" || typeof fn !== "object" || fn === null) {
      return bad(`Missing required parameter: 'tools[${at}].function'.`, `tools[${at}].function`);
    }
    const param = `tools[${at}].function.name`;
    if (typeof fn.name !== "string" || !TOOL_NAME.test(fn.name)) {
      return bad(`Invalid '${param}': string does not match pattern. Expected '${TOOL_NAME.source}'.`, param);
    }
    if (names.has(fn.name))
      return bad(`Invalid '${param}': tool names must be unique, got '${fn.name}' twice.`, param);
    names.add(fn.name);
    const schema = fn.parameters as Json | undefined;
    if (schema !== undefined && (typeof schema !== "object" || schema === null || schema.type !== "object")) {
      return bad(
        `Invalid schema for function '${fn.name}': schema must be a JSON Schema of 'type: "object"'.`,
        `tools[${at}].function.parameters`,
      );
    }
  }
  return undefined;
}

function checkMessages(messages: Json[]): WireError | undefined {
  let open: string[] = [];
  for (const [at, message] of messages.entries()) {
    const param = `messages.[${at}]`;
    if (typeof message.role !== "string" || !ROLES.has(message.role)) {
      return bad(
        `Invalid value: '${String(message.role)}'. Supported values are: ${[...ROLES].join(", ")}.`,
        `${param}.role`,
      );
    }
    if (message.role === "tool") {
      const id = String(message.tool_call_id);
      if (!open.includes(id)) {
        return bad(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          `${param}.role`,
        );
      }
      open = open.filter((each) => each !== id);
      continue;
    }
    if (open.length > 0) return unanswered(open, param);
    const calls = Array.isArray(message.tool_calls) ? (message.tool_calls as Json[]) : [];
    if (message.content === null || message.content === undefined) {
      if (message.role !== "assistant" || calls.length === 0) {
        return bad(`Invalid value for 'content': expected a string, got null.`, `${param}.content`);
      }
    }
    for (const call of calls) {
      const fn = call.function as Json | undefined;
      if (typeof call.id !== "string" || typeof fn?.name !== "string" || typeof fn.arguments !== "string") {
        return bad(
          "Each of 'tool_calls' needs an id, function.name and function.arguments (a string).",
          `${param}.tool_calls`,
        );
      }
      open.push(call.id);
    }
  }
  return open.length > 0 ? unanswered(open, "messages") : undefined;
}

function unanswered(ids: string[], param: string): WireError {
  return bad(
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${ids.join(", ")}`,
    param,
  );
}

function bad(message: string, param: string): WireError {
  return { status: 400, message, param };
}
