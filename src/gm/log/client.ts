import type { GmFunction } from "../types";

const write = console.log.bind(console);

/** `GM_log`: the console, with the script's name, so that one can tell who speaks. */
export const log: GmFunction = {
  name: "log",
  legacy:
    ({ info }) =>
    (...parts: unknown[]) =>
      write(`[${info.script.name}]`, ...parts),
  modern:
    ({ info }) =>
    async (...parts: unknown[]) =>
      write(`[${info.script.name}]`, ...parts),
};
