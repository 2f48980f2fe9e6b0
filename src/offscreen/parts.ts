import { registerFiles } from "@/files/offscreen";
import { registerSandboxHost } from "@/sandbox/host/part";
import { registerBlobs } from "./blobs/part";
import { registerClipboard } from "./clipboard/part";
import { registerDom } from "./dom/part";
import type { OffscreenHost } from "./host";

type OffscreenPart = (host: OffscreenHost) => void;

/** What the offscreen document serves; a part registers its contracts on `host.router`. Adding one is a line here. */
const PARTS: readonly OffscreenPart[] = [
  registerBlobs,
  registerClipboard,
  registerDom,
  registerSandboxHost,
  registerFiles,
];

export function registerOffscreenParts(host: OffscreenHost): void {
  for (const register of PARTS) register(host);
}
