import { ExtensionGoneError } from "@/rpc/errors";
import type { PortLike } from "@/rpc/transports/port";
import { RECONNECT_MESSAGE } from "./offscreen-names";

/** In the offscreen document: opens a port to the worker, which wakes up for it. @throws ExtensionGoneError */
export function openWorkerPort(name: string): PortLike {
  if (!chrome.runtime?.id) throw new ExtensionGoneError();
  return chrome.runtime.connect(undefined, { name });
}

/** In the offscreen document: calls back each time a worker, newly started, asks for a connection. */
export function onReconnectRequest(connect: () => void): void {
  chrome.runtime.onMessage.addListener((message: unknown, sender, respond) => {
    // Only the worker sends this; it has no document.
    if (sender.id !== chrome.runtime.id || sender.tab || sender.documentId !== undefined) return false;
    if ((message as { type?: unknown } | null)?.type !== RECONNECT_MESSAGE) return false;
    connect();
    respond(true);
    return false;
  });
}

/** The text of a file of the extension's own package. */
export async function packagedFile(file: string): Promise<string> {
  return (await fetch(chrome.runtime.getURL(file))).text();
}
