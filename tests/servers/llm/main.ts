import { parseArgs } from "node:util";
import { startLlmServer } from "./server";

/** `npx tsx tests/servers/llm/main.ts [--port N] [--api-key KEY]`: the first line printed is the server's addresses as JSON. */
const { values } = parseArgs({ options: { port: { type: "string" }, "api-key": { type: "string" } } });
const port = Number(values.port ?? 0);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  throw new Error(`--port must be a number from 0 to 65535, got ${values.port}`);
}
const server = await startLlmServer(
  values["api-key"] === undefined ? { port } : { port, apiKey: values["api-key"] },
);
const { url, openaiBaseUrl, anthropicBaseUrl, anthropicV1BaseUrl } = server;
console.log(JSON.stringify({ url, port: server.port, openaiBaseUrl, anthropicBaseUrl, anthropicV1BaseUrl }));
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    server.close().then(() => process.exit(0));
  });
}
