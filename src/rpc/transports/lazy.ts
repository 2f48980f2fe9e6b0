import { toWireError } from "../errors";
import { readClientFrame } from "../frames";
import { noMessage, type Transport } from "../transport";

/**
 * A client's transport whose connection takes time to make: what is sent meanwhile is kept in order. When it cannot be made, nothing of
 * that was done, so each call that was kept fails with the reason, and the transport ends.
 */
export function lazyTransport(open: () => Promise<Transport>): Transport {
  let early: unknown[] | null = [];
  let inner: Transport | null = null;
  let closed = false;
  const transport: Transport = {
    onMessage: noMessage,
    onClose: noMessage,
    send(message) {
      if (inner) inner.send(message);
      else early?.push(message);
    },
    close() {
      closed = true;
      early = null;
      inner?.close();
    },
  };
  open().then(
    (opened) => {
      if (closed) return opened.close();
      inner = opened;
      opened.onMessage = (message) => transport.onMessage(message);
      opened.onClose = () => transport.onClose();
      for (const message of early ?? []) opened.send(message);
      early = null;
    },
    (error: unknown) => {
      if (closed) return;
      const kept = early ?? [];
      early = null;
      const e = toWireError(error);
      for (const message of kept) {
        const frame = readClientFrame(message);
        if (frame?.t === "call" || frame?.t === "open") transport.onMessage({ t: "fail", id: frame.id, e });
      }
      transport.onClose();
    },
  );
  return transport;
}
