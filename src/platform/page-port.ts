import { ExtensionGoneError } from "@/rpc/errors";
import type { Transport } from "@/rpc/transport";
import { portTransport } from "@/rpc/transports/port";

/** The name by which the worker knows a port of our own pages. */
export const PAGE_PORT = "page";

/**
 * Opens a port from one of our pages to the worker, which wakes up for it.
 * @throws ExtensionGoneError when the extension was updated, disabled or removed under the page
 */
export function connectPage(): Transport {
  // The id is gone with the extension; connect() would throw a sentence that says less.
  if (!chrome.runtime?.id) throw new ExtensionGoneError();
  return portTransport(chrome.runtime.connect(undefined, { name: PAGE_PORT }));
}
