import { HANDSHAKE_EVENT, newChannel, type PageError, type PageHello } from "@/userscripts/page-handshake";

/**
 * Registered in front of a script of the page's world, as code of its own: when the script's code does not even parse, nothing of it
 * runs that could tell. Listens until that code has greeted the relay, or failed to parse, which both happen before anything else runs.
 */
export default function announcePageScript(uuid: string): void {
  const channel = newChannel();
  const say = (name: string, detail: PageHello | PageError) =>
    document.dispatchEvent(new CustomEvent(name, { detail: JSON.stringify(detail) }));
  const onError = ({ isTrusted, message, filename, lineno, colno }: ErrorEvent) => {
    // Registered code has an address of the extension; the page's own scripts, were they to come first, do not.
    if (!isTrusted || !message.includes("SyntaxError") || !filename.startsWith("chrome-extension://")) return;
    stop();
    say(HANDSHAKE_EVENT, { channel, uuid });
    say(channel, { message: `${message.replace("Uncaught ", "")} (line ${lineno}, column ${colno})` });
  };
  const onHello = (event: Event) => {
    if ((JSON.parse((event as CustomEvent<string>).detail) as PageHello).uuid === uuid) stop();
  };
  const stop = () => {
    removeEventListener("error", onError);
    document.removeEventListener(HANDSHAKE_EVENT, onHello);
  };
  addEventListener("error", onError);
  document.addEventListener(HANDSHAKE_EVENT, onHello);
  setTimeout(stop, 0);
}
