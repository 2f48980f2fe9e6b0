import type { OffscreenHost } from "../host";
import { offscreenBlobsContract } from "./contract";

export function registerBlobs({ router, hold }: OffscreenHost): void {
  const held = new Map<string, () => void>();
  router.register(offscreenBlobsContract, {
    create: ({ blob }) => {
      const url = URL.createObjectURL(blob);
      // The address ends with the document.
      held.set(url, hold("a blob: address"));
      return { url };
    },
    revoke: ({ url }) => {
      const release = held.get(url);
      if (!release) return;
      held.delete(url);
      URL.revokeObjectURL(url);
      release();
    },
  });
}
