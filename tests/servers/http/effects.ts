import type { IncomingMessage, ServerResponse } from "node:http";
import { now, OPEN_CORS, readBody, requestUrl, sendJson } from "./exchange";

/** One effect id: how often it was done, when, and with which bodies. */
export interface EffectCount {
  count: number;
  times: number[];
  bodies: string[];
}

/**
 * Counts the outside effects of tools: `POST /effect/:id` does one, `GET /effects` lists them all.
 * A test that kills workers reads it to prove that no effect happened twice.
 */
export class EffectCounter {
  readonly #counts = new Map<string, EffectCount>();

  /** How often the effect was done; 0 when never. */
  count(id: string): number {
    return this.#counts.get(id)?.count ?? 0;
  }

  /** All effects by id. */
  all(): Record<string, EffectCount> {
    return Object.fromEntries(this.#counts);
  }

  reset(): void {
    this.#counts.clear();
  }

  /** Serves the two routes; false when the request is for something else. */
  async handle(req: IncomingMessage, res: ServerResponse): Promise<boolean> {
    const { pathname } = requestUrl(req);
    if (pathname !== "/effects" && !pathname.startsWith("/effect/")) return false;
    if (req.method === "OPTIONS") {
      res.writeHead(204, OPEN_CORS).end();
      return true;
    }
    if (pathname === "/effects" && req.method === "GET") {
      sendJson(res, 200, this.all(), OPEN_CORS);
      return true;
    }
    if (pathname.startsWith("/effect/") && req.method === "POST") {
      const id = decodeURIComponent(pathname.slice("/effect/".length));
      // Counted before the answer, for the effect is done even when the caller never hears of it.
      const entry = this.#counts.get(id) ?? { count: 0, times: [], bodies: [] };
      this.#counts.set(id, entry);
      entry.count += 1;
      entry.times.push(now());
      entry.bodies.push((await readBody(req)).toString("utf8"));
      sendJson(res, 200, { id, count: entry.count }, OPEN_CORS);
      return true;
    }
    sendJson(
      res,
      405,
      { error: `use POST /effect/:id or GET /effects, not ${req.method} ${pathname}` },
      OPEN_CORS,
    );
    return true;
  }
}
