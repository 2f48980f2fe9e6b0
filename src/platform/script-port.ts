import { ExtensionGoneError } from "@/rpc/errors";
import { deleteProperty } from "@/rpc/natives";
import type { PortLike } from "@/rpc/transports/port";

/**
 * In a user-script world: takes chrome.* out of the world and returns what opens a port to the worker. A raw port gives a script
 * nothing without a token, and with one nothing that it does not have already, but there is no reason to offer it.
 * The returned function throws ExtensionGoneError when the extension was updated, disabled or removed under the page.
 */
export function takeScriptPort(): () => PortLike {
  const connect = chrome.runtime.connect.bind(chrome.runtime);
  // `browser` is the same under the name that other browsers use.
  for (const name of ["chrome", "browser"]) deleteProperty(globalThis, name);
  return () => {
    try {
      return connect(undefined, { name: "script" });
    } catch {
      // The browser's own words here speak of an invalidated context, which tells a person nothing.
      throw new ExtensionGoneError();
    }
  };
}
