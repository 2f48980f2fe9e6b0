import { noMessage, type Transport } from "../transport";

/** The same connection; `heard` is called as each message comes, before it is read. */
export function tapped(inner: Transport, heard: () => void): Transport {
  const outer: Transport = { ...inner, onMessage: noMessage, onClose: noMessage };
  inner.onMessage = (message) => {
    heard();
    outer.onMessage(message);
  };
  inner.onClose = () => outer.onClose();
  return outer;
}
