import { NamedError } from "@/rpc/errors";
import type { OffscreenHost } from "../host";
import { offscreenClipboardContract } from "./contract";

/**
 * The asynchronous clipboard wants a focused document, which this one never is; a copy event can be answered without focus, given the
 * permission "clipboardWrite".
 */
export function registerClipboard({ router }: OffscreenHost): void {
  router.register(offscreenClipboardContract, {
    write: ({ text, html }) => {
      let filled = false;
      const fill = (event: ClipboardEvent) => {
        event.preventDefault();
        event.clipboardData?.setData("text/plain", text);
        if (html !== undefined) event.clipboardData?.setData("text/html", html);
        filled = event.clipboardData !== null;
      };
      document.addEventListener("copy", fill, { once: true });
      const done = document.execCommand("copy");
      document.removeEventListener("copy", fill);
      if (!done || !filled) {
        throw new NamedError(
          "ClipboardError",
          "The browser did not let the text be copied. Copy it by hand, or try again.",
        );
      }
    },
  });
}
