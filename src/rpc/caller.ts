/**
 * Who calls, as the browser and the script registry say: never as the message says.
 */
export interface Place {
  /** -1 when the caller is no tab. */
  tabId: number;
  frameId: number;
  documentId: string;
  /** Origin of the document, "null" for opaque ones. */
  origin: string;
  url: string;
  incognito: boolean;
}

export interface ScriptCaller extends Place {
  kind: "script";
  uuid: string;
  name: string;
  /** As they are now, not as they were when the connection was made: an update can take grants away. */
  readonly grants: ReadonlySet<string>;
  /** True once the script was removed or disabled, though its page still runs it. */
  readonly gone?: boolean;
}

export interface PageCaller extends Place {
  kind: "page";
}

/** Our own code beside scripts of the page's world, which have no way to the worker themselves. */
export interface RelayCaller extends Place {
  kind: "relay";
}

/** Our offscreen document, which does for the worker what needs a DOM. */
export interface OffscreenCaller extends Place {
  kind: "offscreen";
}

/** The worker, as the offscreen document sees it. It is in no document, so its place says nothing. */
export interface WorkerCaller extends Place {
  kind: "worker";
}

/** The place of who is in no document: the worker, a run in the sandbox. */
export const NOWHERE: Place = {
  tabId: -1,
  frameId: 0,
  documentId: "",
  origin: "null",
  url: "",
  incognito: false,
};

export type Caller = ScriptCaller | PageCaller | RelayCaller | OffscreenCaller | WorkerCaller;

/** What a handler gets beside its input. */
export interface CallContext<C extends Caller = Caller> {
  caller: C;
  /** Aborted when the caller cancels, goes away or disconnects. */
  signal: AbortSignal;
}
