import { browserAlarms, onAlarm } from "@/platform/alarms";
import { BACKGROUND_ALARM } from "@/sandbox/background-state";
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

interface SandboxHostDeps extends Omit<SandboxDoorDeps, "load" | "watch"> {
  /** For work whose failure concerns no caller. */
  told(what: string, work: Promise<unknown>): Promise<void>;
}

/**
 * The sandbox, whose half in the worker is a bundle of its own: a start without sandboxed code does not evaluate it. To be called while
 * the worker's script is evaluated: an alarm looks after the background scripts.
 */
export function createSandboxDoor({ told, ...deps }: SandboxHostDeps): SandboxDoor {
  const script = new LazyScript("sandbox-service.js", () => globalThis.moggySandbox);
  const { name, everyMinutes } = BACKGROUND_ALARM;
  const door = new SandboxDoor({
    ...deps,
    watch: (on) => (on ? browserAlarms.keep(name, everyMinutes) : browserAlarms.drop(name)),
    load: (own) => script.load().create(own),
  });
  onAlarm(name, () => void told("Looking after the background scripts", door.parts().background.ensure()));
  return door;
}
