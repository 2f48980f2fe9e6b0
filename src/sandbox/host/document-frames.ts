import type { FrameBoot } from "../protocol";
import type { FramePlatform, OpenedFrame } from "./frame";

/** Files of the package. */
const PAGE = "sandbox.html";
const FRAME_SOURCE = "sandbox-frame.js";
const WORKER_SOURCE = "sandbox-worker.js";

/**
 * Frames in this document. The page is one of the manifest's sandbox pages: an opaque origin of its own, no network, nothing of the
 * extension. It has no way to the package's files either, so its code comes with the first message.
 * @param packagedFile text of a file of the extension's package
 */
export function documentFrames(packagedFile: (file: string) => Promise<string>): FramePlatform {
  const texts = new Map<string, Promise<string>>();
  const text = (file: string) => {
    const known = texts.get(file) ?? packagedFile(file);
    texts.set(file, known);
    known.catch(() => texts.delete(file));
    return known;
  };
  return {
    async open({ role }, ports, onLeft) {
      const [source, worker] = await Promise.all([
        text(FRAME_SOURCE),
        role === "worker" ? text(WORKER_SOURCE) : "",
      ]);
      const boot: FrameBoot = { source: asExpression(source), role, worker };
      const frame = document.createElement("iframe");
      frame.src = PAGE;
      // Said by the manifest's policy as well; a frame of ours without it would be one with our origin.
      frame.setAttribute("sandbox", "allow-scripts");
      const loaded = new Promise<void>((resolve) =>
        frame.addEventListener("load", () => resolve(), { once: true }),
      );
      document.body.append(frame);
      await loaded;
      // An opaque origin has no name that could be given here; what is sent is nothing that may not be known.
      frame.contentWindow?.postMessage(boot, "*", ports);
      frame.addEventListener("load", onLeft);
      return { remove: () => frame.remove() } satisfies OpenedFrame;
    },
  };
}

/** A bundle that assigns its export to the variable `bundled`, as an expression. */
function asExpression(bundle: string): string {
  return `(()=>{${bundle.trim()};return bundled})()`;
}
