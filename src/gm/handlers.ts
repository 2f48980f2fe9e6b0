import type { GmHost } from "./host";

/** Registers the worker half of every GM API on the router. Adding one is a folder and a line here. */
export function registerGmHandlers(host: GmHost): void {
  void host;
}
