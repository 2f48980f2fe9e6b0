import "../jitless";

import { createSandbox } from "@/sandbox/create";
import type { SandboxModule } from "./sandbox-host";

/* The sandbox's half in the worker: loaded by core.js when code is to run in the sandbox, or background scripts are there. */
globalThis.moggySandbox = { create: createSandbox } satisfies SandboxModule;
