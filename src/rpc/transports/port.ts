import { noMessage, type Transport } from "../transport";

/** The part of chrome.runtime.Port that a transport needs; also what tests fake. */
export interface PortLike {
  postMessage(message: unknown): void;
  disconnect(): void;
  onMessage: { addListener(listener: (message: unknown) => void): void };
  onDisconnect: { addListener(listener: () => void): void };
}

/** A transport over an extension port: pages ↔ worker, offscreen ↔ worker. */
export function portTransport(port: PortLike): Transport {
  let open = true;
  const transport: Transport = {
    onMessage: noMessage,
    onClose: noMessage,
    send(message) {
      // The browser throws on a port that it already closed; onDisconnect tells the owner, so nothing is lost here.
      if (open) port.postMessage(message);
    },
    close() {
      open = false;
      port.disconnect();
    },
  };
  port.onMessage.addListener((message) => transport.onMessage(message));
  port.onDisconnect.addListener(() => {
    if (!open) return;
    open = false;
    transport.onClose();
  });
  return transport;
}
