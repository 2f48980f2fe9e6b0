import type { Place } from "@/rpc/caller";
import { NamedError } from "@/rpc/errors";
import type { PortLike } from "@/rpc/transports/port";
import { OFFSCREEN_PAGE, OFFSCREEN_PORTS, RECONNECT_MESSAGE } from "./offscreen-names";

/** The one offscreen document of the extension, as the browser offers it. */
export interface OffscreenPlatform {
  exists(): Promise<boolean>;
  /** Resolves once its scripts have run. Rejects when there is one already. */
  create(): Promise<void>;
  close(): Promise<void>;
  /** Asks a document that is there to connect again; resolves false when none heard it. */
  askToConnect(): Promise<boolean>;
}

export const browserOffscreen: OffscreenPlatform = {
  exists: async () => (await chrome.runtime.getContexts({ contextTypes: ["OFFSCREEN_DOCUMENT"] })).length > 0,
  create: () =>
    chrome.offscreen.createDocument({
      url: OFFSCREEN_PAGE,
      reasons: ["WORKERS", "DOM_PARSER", "BLOBS", "CLIPBOARD", "IFRAME_SCRIPTING"],
      justification: "Keeps files, reads pages as text and runs sandboxed scripts, which need a document.",
    }),
  close: () => chrome.offscreen.closeDocument(),
  askToConnect: async () => {
    try {
      return (await chrome.runtime.sendMessage({ type: RECONNECT_MESSAGE })) === true;
    } catch (error) {
      // The browser's words for "nobody listens"; every other failure is one.
      if (error instanceof Error && /Receiving end does not exist/.test(error.message)) return false;
      throw error;
    }
  },
};

/**
 * Calls back for each port that the offscreen document opens, under its name. Nobody else can open one: a page of ours that is shown in
 * a tab, even the same file, has a tab, and the offscreen document has none.
 */
export function onOffscreenConnect(accept: (name: string, port: PortLike, place: Place) => void): void {
  const url = chrome.runtime.getURL(OFFSCREEN_PAGE);
  chrome.runtime.onConnect.addListener((port) => {
    if (!OFFSCREEN_PORTS.has(port.name)) return;
    const { sender } = port;
    if (sender?.id !== chrome.runtime.id || sender.url !== url || sender.tab) return port.disconnect();
    accept(port.name, port, {
      tabId: -1,
      frameId: 0,
      documentId: sender.documentId ?? "",
      origin: sender.origin ?? "null",
      url,
      incognito: false,
    });
  });
}

/** The browser refuses, or the document does not come up. */
export function offscreenUnavailable(why: string, cause?: unknown): NamedError {
  return new NamedError(
    "OffscreenUnavailableError",
    `The extension's background document could not be started (${why}). Try again; if it stays so, restart the browser.`,
    { cause },
  );
}
