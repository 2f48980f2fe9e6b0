import { announce, numberArguments } from "../http/run";
import { startPageServer } from "./server";

/** `npx tsx tests/servers/pages/main.ts [--port-a N] [--port-b N]` */
const { "port-a": portA = 0, "port-b": portB = 0 } = numberArguments(["port-a", "port-b"] as const);
const pages = await startPageServer({ ports: [portA, portB] });
const { a, b, localhostA, localhostB } = pages;
announce({ a, b, localhostA, localhostB }, pages.close);
