import { bothForms } from "../forms";

const write = console.log.bind(console);

/** `GM_log`: the console, with the script's name, so that one can tell who speaks. */
export const log = bothForms("log", ({ info }, ...parts) => write(`[${info.script.name}]`, ...parts));
