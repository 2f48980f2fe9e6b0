/** One connection that carries structured-cloneable messages in order. It ends once and never comes back. */
export interface Transport {
  send(message: unknown): void;
  /** Set by the one reader. Messages that come before are lost, so set it in the tick in which the transport is made. */
  onMessage: (message: unknown) => void;
  /** Called once, when the far side or the browser ended the connection; not after an own close(). */
  onClose: () => void;
  close(): void;
}

/** Makes a new connection each time; throws ExtensionGoneError when there never will be one again. */
export type Connect = () => Transport;

export function noMessage(): void {
  // The default reader: a transport without one drops what comes, as its documentation says.
}

/** Two joined ends in one context, for tests: messages are cloned and delivered in a later microtask. */
export function memoryTransportPair(): [Transport, Transport] {
  let open = true;
  const make = (peer: () => Transport): Transport => ({
    onMessage: noMessage,
    onClose: noMessage,
    send(message) {
      const copy: unknown = structuredClone(message);
      queueMicrotask(() => {
        if (open) peer().onMessage(copy);
      });
    },
    close() {
      if (!open) return;
      open = false;
      queueMicrotask(() => peer().onClose());
    },
  });
  const a: Transport = make(() => b);
  const b: Transport = make(() => a);
  return [a, b];
}
