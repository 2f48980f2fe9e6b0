import type { BootPayload, Factory, UrlTest } from "@/userscripts/boot-protocol";
import { HANDSHAKE_EVENT, newChannel, type PageError, type PageHello } from "@/userscripts/page-handshake";
import { whenBody } from "./document-state";

/**
 * What stands before each script of the page's own world, at document-start whatever the script's own time is: it greets the relay
 * before the page can listen, keeps the natives that it needs, and runs the code when it is due. Such a script has no powers, so
 * there is nothing here that a page could take.
 */
export default function runInPage(payload: BootPayload, factory: Factory, matches: UrlTest | null): void {
  const { names, info, uuid, source } = payload;
  const { stringify } = JSON;
  const { CustomEvent } = globalThis;
  const { apply } = Reflect;
  const { dispatchEvent } = EventTarget.prototype;
  const { includes, slice } = String.prototype;
  const channel = newChannel();
  const say = (name: string, detail: PageHello | PageError) =>
    apply(dispatchEvent, document, [new CustomEvent(name, { detail: stringify(detail) })]);
  const report = (error: unknown) => {
    const { message, stack } = (
      typeof error === "object" && error !== null ? error : { message: error }
    ) as Partial<Error>;
    say(channel, {
      message: `${message}`,
      stack: typeof stack === "string" ? apply(slice, stack, [0, 8000]) : undefined,
    });
  };
  say(HANDSHAKE_EVENT, { channel, uuid });
  if (matches?.(location.href) === false) return;

  const own = (text: unknown) => typeof text === "string" && apply(includes, text, [source]);
  addEventListener("error", (event) => {
    if (own(event.filename) || own(event.error?.stack)) report(event.error ?? { message: event.message });
  });
  addEventListener("unhandledrejection", (event) => {
    if (own(event.reason?.stack)) report(event.reason);
  });

  const granted: Record<string, unknown> = {
    GM_info: info,
    GM: Object.freeze({ info }),
    unsafeWindow: globalThis,
  };
  const values = names.map((name) => granted[name]);
  whenDue(payload.at, () => factory(...values).call(globalThis));
}

/** Runs the code at the script's own time, since the registration itself is always for document-start. */
function whenDue(at: BootPayload["at"], execute: () => void): void {
  if (at === "body") whenBody(execute);
  else if (at === "end" || at === "idle") {
    if (document.readyState === "loading")
      addEventListener("DOMContentLoaded", () => later(at, execute), { once: true, capture: true });
    else later(at, execute);
  } else execute();
}

function later(at: "end" | "idle", execute: () => void): void {
  if (at === "idle") setTimeout(execute, 0);
  else execute();
}
