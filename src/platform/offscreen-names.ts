/** Names that the worker and the offscreen document share. */
export const OFFSCREEN_PAGE = "offscreen.html";

/** The worker calls the document over this port. */
export const WORKER_CALLS_PORT = "offscreen";
/** The document calls the worker over this one. */
export const OFFSCREEN_CALLS_PORT = "offscreen-calls";
/** Channels of sandboxed scripts, each opened with the token of its run. */
export const SANDBOX_PORT = "sandbox";

export const OFFSCREEN_PORTS: ReadonlySet<string> = new Set([
  WORKER_CALLS_PORT,
  OFFSCREEN_CALLS_PORT,
  SANDBOX_PORT,
]);

export const RECONNECT_MESSAGE = "moggy:offscreen-connect";
