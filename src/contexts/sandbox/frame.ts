import { closeWebRtc, hostWorker } from "@/sandbox/guest/frame";
import { startGuest } from "@/sandbox/guest/runtime";
import type { FrameBoot } from "@/sandbox/protocol";
import { grant } from "./grant";

/** What a sandboxed frame runs first; its page (public/sandbox.html) evaluates it with what the host sent. */
export default function startFrame(boot: FrameBoot, [control, guest]: readonly MessagePort[]): void {
  if (!control || !guest) return;
  closeWebRtc();
  if (boot.role === "worker") hostWorker(boot, control, guest);
  else startGuest(guest, { grant, watchTasks: true });
}
