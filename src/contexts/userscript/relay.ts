import { takeScriptPort } from "@/platform/script-port";
import { RpcClient } from "@/rpc/client";
import { MuxClient } from "@/rpc/transports/mux";
import { HANDSHAKE_EVENT, type PageError, type PageHello } from "@/userscripts/page-handshake";

/** Reports per document; a page that learnt a channel's name must not flood the log. */
const MAX_REPORTS = 50;

/** Runs in a world of its own, before the page and its scripts, and hands on what scripts of the page's world report. */
export default function startRelay(token: string): void {
  const mux = new MuxClient(takeScriptPort());
  const rpc = new RpcClient(() => mux.channel(token));
  let reports = 0;

  const onHello = (event: Event) => {
    const hello = read<PageHello>(event);
    if (typeof hello?.channel !== "string" || typeof hello.uuid !== "string") return;
    const { uuid } = hello;
    document.addEventListener(hello.channel, (reported) => {
      const error = read<PageError>(reported);
      if (typeof error?.message !== "string" || ++reports > MAX_REPORTS) return;
      const message = error.message.slice(0, 2000);
      const stack = typeof error.stack === "string" ? error.stack.slice(0, 8000) : undefined;
      rpc
        .call("gm.relay.reportError", { uuid, message, stack, url: location.href })
        .catch((failure: unknown) => console.warn("Moggy could not log a script error:", message, failure));
    });
  };
  document.addEventListener(HANDSHAKE_EVENT, onHello);
  // The scripts of the page's world run in this very task, right after the isolated ones. What comes in a later one is the page,
  // which needs no script element to run code: it has handlers in attributes, and a page around this one. In this task the parser may
  // go on to the page's first script; but it runs microtasks after it inserted a script and before it runs it.
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    document.removeEventListener(HANDSHAKE_EVENT, onHello);
  };
  const observer = new MutationObserver(() => {
    if (document.getElementsByTagNameNS("*", "script").length > 0) stop();
  });
  observer.observe(document, { childList: true, subtree: true });
  const timer = setTimeout(stop, 0);
}

function read<T>(event: Event): Partial<T> | undefined {
  const detail: unknown = (event as CustomEvent).detail;
  if (typeof detail !== "string") return undefined;
  try {
    return JSON.parse(detail) as Partial<T>;
  } catch {
    // Not from one of our scripts: a page's own event that happens to have our name.
    return undefined;
  }
}
