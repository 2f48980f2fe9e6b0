import type { OffscreenLink } from "@/offscreen/types";
import { SerialQueue } from "@/platform/serial-queue";
import {
  type BackgroundRecord,
  type BackgroundState,
  type BackgroundStateStore,
  NO_BACKGROUND,
} from "./background-state";
import type { SandboxCallers } from "./callers";
import type { SandboxHostContract } from "./contract/host";
import { addFault, BACK_OFF_MS, TURN_MS } from "./faults";
import type { BackgroundFrameState, BackgroundStatus, ConsoleLine, GuestPayload } from "./types";

/** A background script that is to run. */
export interface WantedBackground {
  uuid: string;
  name: string;
  grants: readonly string[];
  /** Changes when the script was updated. */
  version: string;
}

export interface BackgroundServiceDeps {
  offscreen: Pick<OffscreenLink, "of" | "recreate">;
  callers: SandboxCallers;
  state: BackgroundStateStore;
  /** Those that are installed, enabled and not paused. */
  wanted(): Promise<WantedBackground[]>;
  /** What a script's frame gets. */
  payload(uuid: string): Promise<GuestPayload>;
  /** Adds to the script's error log. */
  recordError(error: { uuid: string; message: string; stack?: string }): Promise<void>;
  report(during: string, error: unknown): void;
  /** The state of some script changed. */
  onChange(): void;
  /**
   * Whether to look from time to time if all of them run: the offscreen document can go, with every frame in it, while the worker
   * sleeps, and nothing else would wake it then.
   */
  watch(on: boolean): Promise<void>;
  now(): number;
  times?: { heartbeatMs: number; hangMs: number };
}

const TIMES = { heartbeatMs: 2_000, hangMs: 10_000 };
/** Nothing that runs in the sandbox is asked for after so long; a background script is admitted for good. */
const FOREVER = Number.MAX_SAFE_INTEGER;
const NEW: BackgroundRecord = { faults: [], off: false, startAt: 0, lines: [] };

/** Keeps the background scripts running that should run, through deaths of worker and offscreen document, and gives up on those that hang. */
export class BackgroundService {
  readonly #deps: BackgroundServiceDeps;
  readonly #queue = new SerialQueue();
  #known = "";

  constructor(deps: BackgroundServiceDeps) {
    this.#deps = deps;
  }

  /** At a start of the worker. Costs one read of session storage when there are no background scripts. */
  async ensure(): Promise<void> {
    const state = await this.#deps.state.read();
    if (!state || Object.keys(state.scripts).length > 0) await this.reconcile();
  }

  /** After each change of scripts or settings; does nothing when it concerns no background script. */
  async changed(): Promise<void> {
    const known = JSON.stringify(await this.#deps.wanted());
    if (known !== this.#known) await this.reconcile();
  }

  /** Makes what runs what should run. */
  reconcile(): Promise<void> {
    return this.#queue.run(() => this.#reconcile());
  }

  /** The offscreen document is gone, with every frame in it. */
  lost(): void {
    this.#told(this.ensure());
  }

  /** How a script is doing. */
  async status(uuid: string): Promise<BackgroundStatus> {
    const record = (await this.#deps.state.read())?.scripts[uuid];
    if (!record) return { state: "starting" };
    if (record.off) return { state: "stopped", faults: record.faults.length };
    return record.startAt > this.#deps.now()
      ? { state: "restarting", at: record.startAt }
      : { state: "running" };
  }

  async console(uuid: string): Promise<ConsoleLine[]> {
    const record = (await this.#deps.state.read())?.scripts[uuid];
    if (!record) return [];
    if (record.off) return record.lines;
    const lines = await this.#host().call("console", { uuid }, { repeatable: true });
    // Its frame is not there yet, or has written nothing: what the last one wrote is what there is.
    return lines.length > 0 ? lines : record.lines;
  }

  /** Starts a script whatever faults it had. */
  startNow(uuid: string): Promise<void> {
    return this.#queue.run(async () => {
      const state = await this.#read();
      const record = state.scripts[uuid];
      if (!record) return;
      await this.#write({ ...state, scripts: { ...state.scripts, [uuid]: { ...NEW, lines: record.lines } } });
      await this.#host().call("stop", { uuid }, { repeatable: true });
      await this.#reconcile();
    });
  }

  /** A frame ended by itself. */
  failed(failure: { uuid: string; name: string; message: string; lines: ConsoleLine[] }): Promise<void> {
    const { uuid, name, message, lines } = failure;
    return this.#queue.run(async () => {
      const state = await this.#read();
      const record = state.scripts[uuid];
      if (!record) return;
      const next = this.#afterFault(record, lines);
      await this.#write({ ...state, scripts: { ...state.scripts, [uuid]: next } });
      await this.#deps.recordError({
        uuid,
        message: `${name}: ${message} ${whatNext(next, this.#deps.now())}`,
      });
      await this.#reconcile();
    });
  }

  /** Frames fell together: they are started again, the one to blame later; or, when it may be any of several, these one by one. */
  async fell(fall: {
    report: string;
    kind: "hung" | "crashed";
    silentMs: number;
    frames: Array<{ uuid: string; blamed: boolean; lines: ConsoleLine[] }>;
  }): Promise<void> {
    await this.#queue.run(async () => {
      const state = await this.#read();
      if (state.lastReport === fall.report) return;
      const scripts = { ...state.scripts };
      const blamed: Array<[uuid: string, next: BackgroundRecord]> = [];
      const several = fall.frames.filter((frame) => frame.blamed && scripts[frame.uuid]).length > 1;
      for (const frame of fall.frames) {
        const record = scripts[frame.uuid];
        if (!record) continue;
        const { uuid, lines } = frame;
        let next: BackgroundRecord = { ...record, lines };
        if (frame.blamed) {
          next = several ? this.#inTurn(next, blamed.length) : this.#afterFault(record, lines);
          blamed.push([uuid, next]);
        }
        scripts[uuid] = next;
      }
      await this.#write({ scripts, lastReport: fall.report });
      for (const [uuid, record] of blamed) {
        const now = this.#deps.now();
        const what = several ? whatNextOfSeveral(blamed.length, record, now) : whatNext(record, now);
        await this.#deps.recordError({ uuid, message: `${whatFell(fall)} ${what}` });
      }
    });
    if (fall.kind === "crashed") await this.reconcile();
    // After the answer to this call, which comes from the very document.
    else setTimeout(() => this.#told(this.#recreate()));
  }

  async #recreate(): Promise<void> {
    await this.#deps.offscreen.recreate(
      "A background script was in a loop, which held up all others; the sandbox was started anew.",
    );
    await this.reconcile();
  }

  async #reconcile(): Promise<void> {
    const wanted = await this.#deps.wanted();
    this.#known = JSON.stringify(wanted);
    await this.#deps.watch(wanted.length > 0);
    const before = await this.#deps.state.read();
    const state = before ?? NO_BACKGROUND;
    const gone = Object.keys(state.scripts).filter((uuid) => !wanted.some((script) => script.uuid === uuid));
    if (wanted.length + gone.length === 0) {
      if (!before) await this.#write(state);
      return;
    }
    const scripts: Record<string, BackgroundRecord> = {};
    for (const { uuid } of wanted) scripts[uuid] = state.scripts[uuid] ?? NEW;
    await this.#write({ ...state, scripts });
    for (const uuid of gone) await this.#deps.callers.dismiss(uuid, "background");
    const frames = await this.#host().call("frames", {}, { repeatable: true });
    for (const { uuid } of frames) {
      if (!scripts[uuid]) await this.#host().call("stop", { uuid }, { repeatable: true });
    }
    for (const script of wanted) await this.#startOne(script, frames, scripts[script.uuid] ?? NEW);
  }

  /** One that cannot be started keeps no other from it. */
  async #startOne(
    script: WantedBackground,
    frames: readonly BackgroundFrameState[],
    record: BackgroundRecord,
  ): Promise<void> {
    const { uuid, name, grants, version } = script;
    const running = frames.find((frame) => frame.uuid === uuid);
    if (record.off || running?.version === version) return;
    try {
      const { token } = await this.#deps.callers.admit({
        id: uuid,
        owner: { uuid, name, grants: [...grants] },
        kind: "background",
        until: FOREVER,
      });
      const payload = await this.#deps.payload(uuid);
      const delayMs = Math.max(0, record.startAt - this.#deps.now());
      const { heartbeatMs, hangMs } = this.#deps.times ?? TIMES;
      const spec = { uuid, token, version, payload, delayMs, lines: record.lines, heartbeatMs, hangMs };
      await this.#host().call("start", spec, { repeatable: true });
    } catch (error) {
      this.#deps.report(`Starting the background script ${name}`, error);
    }
  }

  #afterFault(record: BackgroundRecord, lines: ConsoleLine[]): BackgroundRecord {
    const now = this.#deps.now();
    const { faults, waitMs } = addFault(record.faults, now);
    return { faults, off: waitMs === null, startAt: waitMs === null ? 0 : now + waitMs, lines };
  }

  #inTurn(record: BackgroundRecord, turn: number): BackgroundRecord {
    return { ...record, startAt: this.#deps.now() + (BACK_OFF_MS[0] ?? 0) + turn * TURN_MS };
  }

  async #read(): Promise<BackgroundState> {
    return (await this.#deps.state.read()) ?? NO_BACKGROUND;
  }

  async #write(state: BackgroundState): Promise<void> {
    await this.#deps.state.write(state);
    this.#deps.onChange();
  }

  #host() {
    return this.#deps.offscreen.of<SandboxHostContract>("sandbox.host");
  }

  #told(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#deps.report("Keeping the background scripts running", error));
  }
}

function whatNext({ off, startAt, faults }: BackgroundRecord, now: number): string {
  if (off) {
    return `It had ${faults.length} such faults within an hour and is not started again until the browser is, or until you start it on its page.`;
  }
  return `It is started again in ${Math.round((startAt - now) / 1000)} s.`;
}

function whatFell({ kind, silentMs }: { kind: "hung" | "crashed"; silentMs: number }): string {
  return kind === "hung"
    ? `HungError: It did not answer for ${Math.round(silentMs / 1000)} s and was ended: it is in a loop, or works too long at once.`
    : "SandboxCrashError: The browser ended what it ran in, most often because memory ran out.";
}

function whatNextOfSeveral(count: number, { startAt }: BackgroundRecord, now: number): string {
  return `The reason may be any of ${count} scripts, so they are started again one by one: this one in ${Math.round((startAt - now) / 1000)} s.`;
}
