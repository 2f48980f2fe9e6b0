import type { GmFunction, ScriptSession } from "../types";

/** `GM_log`: the console, with the script's name, so that one can tell who speaks. */
const write = (session: ScriptSession) => console.log.bind(console, `[${session.info.script.name}]`);

export const log: GmFunction = {
  name: "log",
  legacy: write,
  modern: (session) => {
    const say = write(session);
    return async (...parts: unknown[]) => say(...parts);
  },
};
