import { toWireError } from "@/rpc/errors";
import type { Transport } from "@/rpc/transport";
import { messagePortTransport } from "@/rpc/transports/message-port";
import { failFrame } from "@/rpc/transports/mux";

/** Connections of one guest that may be open: it has one client, which opens one at a time. */
const MOST_OPEN = 4;

/**
 * Joins what a guest opens for itself to channels of the worker's API. Whose calls they are, the channel says by its token, which the
 * guest does not know and cannot choose.
 */
export class GuestApis {
  readonly #open = new Set<() => void>();

  constructor(
    /** Opens a channel in the guest's name. */
    private readonly channel: () => Transport,
    /** Counts a message of the guest; false when it is not to pass, since the guest is being ended. */
    private readonly count: (message: unknown) => boolean,
    /** The guest sent what cannot be read here. */
    private readonly unreadable: () => void,
  ) {}

  join(port: MessagePort): void {
    const guest = messagePortTransport(port);
    if (this.#open.size >= MOST_OPEN) {
      guest.close();
      return;
    }
    let channel: Transport;
    try {
      channel = this.channel();
    } catch (error) {
      console.error("A sandboxed script could not be connected to the worker:", error);
      guest.close();
      return;
    }
    const end = () => {
      this.#open.delete(end);
      channel.close();
      guest.close();
    };
    this.#open.add(end);
    guest.onMessage = (message) => {
      if (!this.count(message)) return;
      try {
        channel.send(message);
      } catch (error) {
        // Too large for the browser, or something that it does not take: the guest's call fails, and not ours.
        failFrame(guest, message, toWireError(error));
      }
    };
    // What cannot be read is no call that could be answered, and would be waited for.
    port.onmessageerror = () => this.unreadable();
    guest.onClose = () => {
      this.#open.delete(end);
      channel.close();
    };
    channel.onMessage = (message) => guest.send(message);
    channel.onClose = () => {
      this.#open.delete(end);
      guest.close();
    };
  }

  closeAll(): void {
    for (const end of [...this.#open]) end();
  }
}
