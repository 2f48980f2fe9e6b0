import { announce, numberArguments } from "../http/run";
import { startDemoModel } from "./server";

/** `npx tsx tests/servers/demo-model/main.ts [--port N] [--delay-ms N]` */
const { port, "delay-ms": delayMs } = numberArguments(["port", "delay-ms"] as const);
const demo = await startDemoModel({
  ...(port === undefined ? {} : { port }),
  ...(delayMs === undefined ? {} : { delayMs }),
});
announce(
  { url: demo.url, port: demo.port, openaiBaseUrl: demo.openaiBaseUrl, model: demo.model },
  demo.close,
);
