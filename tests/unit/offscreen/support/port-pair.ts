import type { PortLike } from "@/rpc/transports/port";

/**
 * Two joined ports as the browser makes them, messages cloned, and what ends both from outside. While `silent` says so, nothing arrives
 * from the far end.
 */
export function portPair(
  silent: () => boolean = () => false,
): [near: PortLike, far: PortLike, cut: () => void] {
  let open = true;
  const near = end();
  const far = end();
  const join = (from: End, to: End, heard: () => boolean): PortLike => ({
    postMessage(message) {
      if (!open) throw new Error("Attempting to use a disconnected port object");
      const copy: unknown = structuredClone(message);
      queueMicrotask(() => {
        if (!open || !heard()) return;
        for (const listener of to.messages) listener(copy);
      });
    },
    disconnect() {
      if (!open) return;
      open = false;
      for (const listener of to.disconnects) listener();
    },
    onMessage: { addListener: (listener) => from.messages.push(listener) },
    onDisconnect: { addListener: (listener) => from.disconnects.push(listener) },
  });
  const cut = () => {
    if (!open) return;
    open = false;
    for (const listener of [...near.disconnects, ...far.disconnects]) listener();
  };
  return [join(near, far, () => !silent()), join(far, near, () => !silent()), cut];
}

interface End {
  messages: Array<(message: unknown) => void>;
  disconnects: Array<() => void>;
}

function end(): End {
  return { messages: [], disconnects: [] };
}
