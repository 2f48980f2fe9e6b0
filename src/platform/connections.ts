import type { Place } from "@/rpc/caller";
import type { PortLike } from "@/rpc/transports/port";
import { OFFSCREEN_PORTS } from "./offscreen-names";

type Sender = chrome.runtime.MessageSender;

/** Calls back for each port that one of our own pages opens. Ports from anywhere else are cut. */
export function onPageConnect(accept: (port: PortLike, place: Place) => void): void {
  const origin = chrome.runtime.getURL("").slice(0, -1);
  chrome.runtime.onConnect.addListener((port) => {
    // Those have a door of their own, onOffscreenConnect.
    if (OFFSCREEN_PORTS.has(port.name)) return;
    const { sender } = port;
    // A content script or web page reports its own page's origin; only our pages have the extension's.
    if (
      sender?.id !== chrome.runtime.id ||
      sender.origin !== origin ||
      !sender.url?.startsWith(`${origin}/`)
    ) {
      port.disconnect();
      return;
    }
    accept(port, placeOf(sender));
  });
}

/** Calls back for each port that a user-script world opens. Whose it is, the tokens sent over it will tell. */
export function onScriptConnect(accept: (port: PortLike, place: Place) => void): void {
  chrome.runtime.onUserScriptConnect.addListener((port) => {
    if (port.sender) accept(port, placeOf(port.sender));
    else port.disconnect();
  });
}

/** Where the browser says a message comes from. */
function placeOf(sender: Sender): Place {
  const url = sender.url ?? sender.tab?.url ?? "";
  return {
    tabId: sender.tab?.id ?? -1,
    frameId: sender.frameId ?? 0,
    documentId: sender.documentId ?? "",
    origin: sender.origin ?? (URL.canParse(url) ? new URL(url).origin : "null"),
    url,
    incognito: sender.tab?.incognito ?? false,
  };
}
