import type { FrameBoot, FrameOrder, FrameReport } from "../protocol";

/**
 * The frame's own code when the guest is a worker in it. Nothing of somebody else's runs here, so it can always end the worker, whatever
 * loop that is in.
 */
export function hostWorker({ worker: source }: FrameBoot, control: MessagePort, guest: MessagePort): void {
  const report = (message: FrameReport) => control.postMessage(message);
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(url);
  worker.onerror = ({ message }) => report({ t: "crashed", message: message || "the worker did not start" });
  control.onmessage = ({ data }: MessageEvent<FrameOrder>) => {
    if (data === "ping") return report({ t: "pong" });
    if (data !== "terminate") return;
    worker.terminate();
    URL.revokeObjectURL(url);
    report({ t: "terminated" });
  };
  worker.postMessage(null, [guest]);
}

/**
 * WebRTC is the one way to the network that a content security policy does not close: it goes before anybody's code runs. No fresh window
 * gives it back, since no other frame can be scripted from here, and none below runs scripts (its policy knows only our own).
 */
export function closeWebRtc(): void {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (/^(webkit)?RTC/.test(name)) Reflect.deleteProperty(globalThis, name);
  }
}

/** In the worker: takes its own way to the frame away. Nobody reads there, nor counts what would pile up. */
export function closeWayToFrame(): void {
  for (let object: object | null = globalThis; object; object = Object.getPrototypeOf(object)) {
    Reflect.deleteProperty(object, "postMessage");
  }
}
