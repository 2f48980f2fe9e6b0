import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that listens on the loopback interface only. */
export interface Listening {
  port: number;
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  url: string;
  /** Ends every open connection, then the server. */
  close(): Promise<void>;
}

type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/**
 * Starts an HTTP server on 127.0.0.1. A handler that throws is answered with 500 and the error's text, because a fault
 * of the test server must be seen in the test that met it.
 * @param port 0 takes any free port
 */
export async function listen(handler: Handler, port = 0): Promise<Listening> {
  const server: Server = createServer((req, res) => {
    res.socket?.setNoDelay(true);
    handler(req, res).catch((error: unknown) => {
      const text = `The test server failed on ${req.method} ${req.url}: ${error instanceof Error ? error.stack : String(error)}`;
      if (res.headersSent) {
        res.destroy(new Error(text));
        return;
      }
      res.writeHead(500, { "content-type": "text/plain; charset=utf-8" });
      res.end(text);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    url: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}
