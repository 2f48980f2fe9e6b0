import { type FramePlatform, SandboxFrame } from "./frame";

/** How long a new frame may take to come up beside the others. */
const COME_UP_MS = 3_000;

/**
 * Tells a process that is gone, of which the browser says nothing, from one that is busy: all frames are in one, so a new frame does not
 * come up while some code loops there, and does in a new process when the old one has ended.
 */
export class ProcessProbe {
  #asking: Promise<boolean> | null = null;

  constructor(
    private readonly frames: FramePlatform,
    private readonly ms = COME_UP_MS,
  ) {}

  /** Whether a new frame comes up now. Asked once, however many ask. */
  comesUp(): Promise<boolean> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #ask(): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), this.ms);
    });
    // One that cannot be made does not come up.
    const opening = SandboxFrame.open(this.frames, "page").catch(() => null);
    try {
      const frame = await Promise.race([opening, late]);
      if (!frame) return false;
      // All that is said in it is that it is there.
      const ready = new Promise<true>((resolve) => {
        frame.onMessage = () => resolve(true);
      });
      return (await Promise.race([ready, late])) ?? false;
    } finally {
      clearTimeout(timer);
      void opening.then((frame) => frame?.close());
    }
  }
}
