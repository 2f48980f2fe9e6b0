import { noMessage, type Transport } from "../transport";

/**
 * A transport whose connection takes time to make: what is sent meanwhile is kept in order. When it cannot be made, the transport ends as
 * a broken connection does, after `onFailed` was told why.
 */
export function lazyTransport(open: () => Promise<Transport>, onFailed: (error: unknown) => void): Transport {
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
      early = null;
      onFailed(error);
      transport.onClose();
    },
  );
  return transport;
}
