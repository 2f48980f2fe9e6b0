import { resolve } from "node:path";

/** The project's folder: every path that a script prints or opens starts here. */
export const PROJECT_ROOT = resolve(import.meta.dirname, "../..");
