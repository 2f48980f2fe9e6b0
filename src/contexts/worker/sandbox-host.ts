import type { SandboxDeps, SandboxParts } from "@/sandbox/create";
import { SandboxDoor, type SandboxDoorDeps } from "@/sandbox/door";
import { LazyScript } from "./lazy-script";

/** What sandbox-service.js leaves for core.js. */
export interface SandboxModule {
  create(deps: SandboxDeps): SandboxParts;
}

declare global {
  var moggySandbox: SandboxModule | undefined;
}

/** The sandbox, whose half in the worker is a bundle of its own: a start without sandboxed code does not evaluate it. */
export function createSandboxDoor(deps: Omit<SandboxDoorDeps, "load">): SandboxDoor {
  const script = new LazyScript("sandbox-service.js", () => globalThis.moggySandbox);
  return new SandboxDoor({ ...deps, load: (own) => script.load().create(own) });
}
