import type { Caller } from "../caller";
import { NamedError, toWireError, type WireError } from "../errors";
import { readClientFrame } from "../frames";
import { own, SafeMap } from "../natives";
import { noMessage, type Transport } from "../transport";
import type { PortLike } from "./port";

/**
 * Many scripts share one port per world and document: each gets a channel, opened by its token. The worker answers a
 * channel only after the registry and the browser's sender have said whose it is.
 *
 * Messages: `{ c, hello }` opens channel `c` with a token, `{ c, f }` carries a frame, `{ c, bye: true }` ends it.
 */
interface MuxMessage {
  c: number;
  hello?: string;
  f?: unknown;
  bye?: true;
}

/**
 * The script side: one port, opened on first use and again after a loss; each channel is a transport of its own. Scripts that share a
 * world share this too, so neither tokens nor channels pass through anything that one of them can patch.
 */
export class MuxClient {
  /** Opens a channel for the holder of `token`. Throws what the browser throws when the extension is gone. */
  readonly channel: (token: string) => Transport;

  constructor(openPort: () => PortLike) {
    let channels = new SafeMap<number, Transport>();
    let port: PortLike | null = null;
    let next = 1;

    this.channel = (token) => {
      port ??= connect();
      const c = next++;
      const transport: Transport = {
        onMessage: noMessage,
        onClose: noMessage,
        send(f) {
          if (channels.has(c)) port?.postMessage({ c, f });
        },
        close() {
          if (channels.delete(c)) port?.postMessage({ c, bye: true });
        },
      };
      channels.set(c, transport);
      port.postMessage({ c, hello: token });
      return transport;
    };

    function connect(): PortLike {
      const opened = openPort();
      opened.onMessage.addListener((message) => {
        if (typeof message !== "object" || message === null) return;
        const c = own(message, "c") as MuxMessage["c"];
        const channel = channels.get(c);
        if (!channel) return;
        if (own(message, "bye") !== true) return channel.onMessage(own(message, "f"));
        channels.delete(c);
        channel.onClose();
      });
      opened.onDisconnect.addListener(() => {
        if (port !== opened) return;
        port = null;
        const ended = channels;
        channels = new SafeMap();
        ended.forEach((channel) => void channel.onClose());
      });
      return opened;
    }
  }
}

const NOBODY: WireError = {
  name: "PermissionDeniedError",
  message: "This script is not installed or not enabled any more.",
};

/** Channels that one port may have open: one per script of a document, with room. */
const MAX_CHANNELS = 512;
/** Frames of a channel that are kept while it is not known yet whose it is. */
const MAX_EARLY = 1024;
const TOO_EARLY: WireError = {
  name: "TooManyCallsError",
  message: `More than ${MAX_EARLY} calls were made at once. Wait for some to end.`,
};

/** Fails the call or stream that a frame begins, so that nobody waits for it for ever. */
export function failFrame(transport: Transport, message: unknown, e: WireError): void {
  const frame = readClientFrame(message);
  if (frame?.t === "call" || frame?.t === "open") transport.send({ t: "fail", id: frame.id, e });
}

/**
 * The worker side. `identify` says whose a token is, given where the browser says the port comes from; null refuses the
 * channel. Frames that arrive while it decides are kept in order.
 */
export function acceptMux(
  port: PortLike,
  identify: (token: string) => Promise<Caller | null>,
  serve: (transport: Transport, caller: Caller) => void,
): void {
  const channels = new Map<number, { transport: Transport; early: unknown[] | null }>();

  const open = (c: number, token: string): void => {
    const transport: Transport = {
      onMessage: noMessage,
      onClose: noMessage,
      send: (f) => {
        if (channels.has(c)) port.postMessage({ c, f });
      },
      close: () => {
        if (channels.delete(c)) port.postMessage({ c, bye: true });
      },
    };
    const channel = { transport, early: [] as unknown[] | null };
    channels.set(c, channel);
    identify(token)
      .catch((error: unknown) => {
        console.error("Whose a script's channel is could not be found out, so it is refused:", error);
        // What has a name of ours is meant to be read; anything else is an internal matter.
        return error instanceof NamedError ? toWireError(error) : NOBODY;
      })
      .then((found) => {
        if (!channels.has(c)) return;
        if (found && "kind" in found) serve(transport, found);
        // Closing the channel instead would make an honest client come back for ever.
        else transport.onMessage = (message) => failFrame(transport, message, found ?? NOBODY);
        const early = channel.early ?? [];
        channel.early = null;
        for (const frame of early) transport.onMessage(frame);
      });
  };

  port.onMessage.addListener((message) => {
    if (typeof message !== "object" || message === null) return;
    const { c, hello, f, bye } = message as Partial<Record<keyof MuxMessage, unknown>>;
    if (typeof c !== "number" || !Number.isSafeInteger(c)) return;
    const channel = channels.get(c);
    if (typeof hello === "string") {
      if (!channel && channels.size < MAX_CHANNELS) open(c, hello);
      return;
    }
    if (!channel) return;
    if (bye === true) {
      channels.delete(c);
      channel.transport.onClose();
    } else if (channel.early) {
      if (channel.early.length < MAX_EARLY) channel.early.push(f);
      else failFrame(channel.transport, f, TOO_EARLY);
    } else channel.transport.onMessage(f);
  });
  port.onDisconnect.addListener(() => {
    const ended = [...channels.values()];
    channels.clear();
    for (const { transport } of ended) transport.onClose();
  });
}
