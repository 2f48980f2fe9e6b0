import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

/** The page of sandboxed frames, in public/: copied as it is. */
const PAGE = "sandbox.html";

/**
 * What the manifest says of the sandbox: an opaque origin without network. Inline scripts are only the page's own, so that frames which code
 * in the sandbox makes below it (`srcdoc` and the like take this policy over) run none: a fresh window would have WebRTC, which no policy
 * closes.
 * @param folder where the page is
 */
export async function sandboxManifest(folder: string): Promise<{ pages: string[]; policy: string }> {
  const html = await readFile(resolve(folder, PAGE), "utf8");
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text ?? "");
  if (scripts.length !== 1) throw new Error(`${PAGE} must have exactly one script, not ${scripts.length}.`);
  const hash = createHash("sha256")
    .update(scripts[0] ?? "")
    .digest("base64");
  return {
    pages: [PAGE],
    policy: [
      "sandbox allow-scripts",
      "default-src 'none'",
      `script-src 'sha256-${hash}' 'unsafe-eval'`,
      "worker-src blob:",
      "connect-src 'none'",
      "img-src data: blob:",
      "style-src 'unsafe-inline'",
      "frame-src 'none'",
      "form-action 'none'",
      "base-uri 'none'",
    ].join("; "),
  };
}
