import type { OffscreenHost } from "@/offscreen/host";
import { SANDBOX_PORT } from "@/platform/offscreen-names";
import { whenAborted } from "@/rpc/abort";
import { MuxClient } from "@/rpc/transports/mux";
import type { PortLike } from "@/rpc/transports/port";
import { sandboxHostContract } from "../contract/host";
import { SANDBOX_DOCUMENT } from "../types";
import { Backgrounds } from "./backgrounds";
import { documentFrames } from "./document-frames";
import type { FramePlatform } from "./frame";
import { OneShots } from "./one-shots";
import { ProcessProbe } from "./process-probe";
import { Slots } from "./slots";

/** Runs at once. A frame with its worker takes about 4 MB; more wait for a place. */
const MOST_AT_ONCE = 50;

/** The sandbox's part of the offscreen document. */
export function registerSandboxHost(
  host: OffscreenHost,
  frames: FramePlatform = documentFrames(host.packagedFile),
): void {
  const { worker, hold } = host;
  const now = () => Date.now();
  const mux = new MuxClient(() => host.openPort(SANDBOX_PORT));
  const channel = (token: string) => mux.channel(token);
  const probe = new ProcessProbe(frames);
  const comesUp = () => probe.comesUp();
  const oneShots = new OneShots({ frames, slots: new Slots(MOST_AT_ONCE), channel, comesUp, now, hold });
  const newId = () => crypto.randomUUID();
  const runsBeside = () => oneShots.lately;
  const shared = { frames, channel, worker, now, newId, hold };
  const backgrounds = new Backgrounds({ ...shared, comesUp, runsBeside });
  const life = new LifeSign(() => host.openPort(SANDBOX_PORT));

  host.router.register(sandboxHostContract, {
    run: (spec) => oneShots.run(spec),
    cancel: ({ runId }) => oneShots.cancel(runId),
    acknowledge: ({ runId }) => oneShots.acknowledge(runId),
    async *hold({ runId }, { signal }) {
      const release = oneShots.holdTime(runId);
      if (!release) return;
      try {
        yield "held" as const;
        await new Promise<void>((resolve) => whenAborted(signal, () => resolve()));
      } finally {
        release();
      }
    },
    start: (spec) => {
      life.show();
      backgrounds.start(spec);
    },
    stop: ({ uuid }) => backgrounds.stop(uuid),
    frames: () => {
      life.show();
      return backgrounds.states();
    },
    console: ({ uuid }) => backgrounds.lines(uuid),
    wake: ({ documentId }) => backgrounds.wake(documentId.slice(SANDBOX_DOCUMENT.length)),
  });
}

/** A port that is open while document and worker are: when this document dies, the worker hears of it and starts the scripts anew. */
class LifeSign {
  #port: PortLike | null = null;

  constructor(private readonly open: () => PortLike) {}

  show(): void {
    if (this.#port) return;
    const port = this.open();
    this.#port = port;
    port.onDisconnect.addListener(() => {
      if (this.#port === port) this.#port = null;
    });
  }
}
