import "../jitless";

import { createFiles } from "@/files/create";
import type { FilesModule } from "./files-host";

/* The file store's half in the worker: loaded by core.js when somebody first has to do with files. */
globalThis.moggyFiles = { create: createFiles } satisfies FilesModule;
