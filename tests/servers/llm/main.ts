import { announce, numberArguments } from "../http/run";
import { startLlmServer } from "./server";

/** `npx tsx tests/servers/llm/main.ts [--port N]`, with the key to ask for in FAKE_LLM_API_KEY. */
const { port = 0 } = numberArguments(["port"] as const);
const apiKey = process.env.FAKE_LLM_API_KEY;
const server = await startLlmServer(apiKey === undefined ? { port } : { port, apiKey });
const { url, openaiBaseUrl, anthropicBaseUrl, anthropicV1BaseUrl } = server;
announce({ url, port: server.port, openaiBaseUrl, anthropicBaseUrl, anthropicV1BaseUrl }, server.close);
