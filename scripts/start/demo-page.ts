import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { PROJECT_ROOT } from "../lib/root";
import { Stop } from "../lib/stop.mjs";

export interface DemoPage {
  url: string;
  close(): Promise<void>;
}

/** What is served: nothing else on the disk can be reached. */
const FILES: Record<string, { file: string; type: string }> = {
  "/": { file: "index.html", type: "text/html; charset=utf-8" },
  "/style.css": { file: "style.css", type: "text/css; charset=utf-8" },
};

/**
 * Serves the demo page on the loopback address.
 * @param port 0 for any that is free
 * @throws {Stop} when the port is taken, or kept from this user by the system
 */
export async function startDemoPage(port: number): Promise<DemoPage> {
  const server = createServer((request, response) => {
    const entry = FILES[new URL(request.url ?? "/", "http://localhost").pathname];
    if (!entry) {
      response.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end("There is only / here.\n");
      return;
    }
    readFile(join(PROJECT_ROOT, "scripts", "demo-page", entry.file)).then(
      (body) =>
        response.writeHead(200, { "content-type": entry.type, "cache-control": "no-store" }).end(body),
      (error: Error) => response.writeHead(500, { "content-type": "text/plain" }).end(`${error.message}\n`),
    );
  });
  await new Promise<void>((ready, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE")
        fail(new Stop(`Port ${port} is taken by another program. Choose another with --port N.`));
      else if (error.code === "EACCES")
        fail(
          new Stop(
            `The system does not give port ${port} to this user. Choose one above 1023 with --port N.`,
          ),
        );
      else fail(error);
    });
    server.listen(port, "127.0.0.1", ready);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${actual}/`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
