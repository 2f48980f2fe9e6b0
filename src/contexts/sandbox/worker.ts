import { closeWayToFrame } from "@/sandbox/guest/frame";
import { startGuest } from "@/sandbox/guest/runtime";
import { grant } from "./grant";

/* What the blob worker of a one-shot run begins with: it waits for its port, and then for its code. */
addEventListener(
  "message",
  ({ ports: [port] }) => {
    closeWayToFrame();
    if (port) startGuest(port, { grant, watchTasks: false });
  },
  { once: true },
);
