import { noMessage, type Transport } from "../transport";

/** The part of a DOM MessagePort that is used. */
export type MessagePortLike = Pick<MessagePort, "postMessage" | "close" | "onmessage">;

const CLOSING = "moggy:closing";

/** A transport over a MessageChannel: frames, sandbox, workers. Such a port has no close event everywhere, so closing says so. */
export function messagePortTransport(port: MessagePortLike): Transport {
  const transport: Transport = {
    onMessage: noMessage,
    onClose: noMessage,
    send: (message) => port.postMessage(message),
    close() {
      port.postMessage(CLOSING);
      port.close();
    },
  };
  port.onmessage = ({ data }) => {
    if (data !== CLOSING) return transport.onMessage(data);
    port.close();
    transport.onClose();
  };
  return transport;
}
