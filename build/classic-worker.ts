import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { build, type InlineConfig, type Plugin } from "vite";
import { writeRuntime } from "./runtime-bundles.ts";
import { sandboxManifest } from "./sandbox-page.ts";

/** One script that is not a page: bundled on its own as an IIFE, without imports of any kind. */
export interface ClassicBundle {
  /** File name in the build, such as `core.js`. */
  file: string;
  /** Source entry, relative to the project root. */
  entry: string;
  /** Name that the bundle's export gets, for bundles that are used as an expression. */
  name?: string;
}

/**
 * What the browser starts by itself (`core`), what `core` loads on demand through `importScripts` (`engine`,
 * `log`, `suffixes`, `install-check`, `migrations`) and what is injected beside userscripts (`relay`, `page` and others; the runtime has a build of its own, runtime-bundles.ts). A classic worker is the only kind that can load
 * code lazily, and the plugin for pages emits module workers only: hence a build of our own for these.
 */
export const CLASSIC_BUNDLES: readonly ClassicBundle[] = [
  { file: "core.js", entry: "src/contexts/worker/core.ts" },
  { file: "engine.js", entry: "src/contexts/worker/engine.ts" },
  { file: "suffixes.js", entry: "src/contexts/worker/suffixes.ts" },
  { file: "install-check.js", entry: "src/contexts/worker/install-check.ts" },
  { file: "consent.js", entry: "src/contexts/worker/consent.ts" },
  { file: "log.js", entry: "src/contexts/worker/log.ts" },
  { file: "migrations.js", entry: "src/contexts/worker/migrations.ts" },
  { file: "page-announce.js", entry: "src/contexts/userscript/page-announce.ts", name: "bundled" },
  { file: "page.js", entry: "src/contexts/userscript/page.ts", name: "bundled" },
  { file: "match.js", entry: "src/contexts/userscript/match.ts", name: "bundled" },
  { file: "relay.js", entry: "src/contexts/userscript/relay.ts", name: "bundled" },
  { file: "files-service.js", entry: "src/contexts/worker/files-service.ts" },
  { file: "files-worker.js", entry: "src/contexts/files/files-worker.ts" },
  { file: "sandbox-service.js", entry: "src/contexts/worker/sandbox-service.ts" },
  { file: "sandbox-frame.js", entry: "src/contexts/sandbox/frame.ts", name: "bundled" },
  { file: "sandbox-worker.js", entry: "src/contexts/sandbox/worker.ts" },
];

/** Builds {@link CLASSIC_BUNDLES} beside the pages and points the manifest's service worker at `core.js`. */
export function classicWorker(options: { root: string; outDir: string; shared: InlineConfig }): Plugin {
  return {
    name: "moggy:classic-worker",
    apply: "build",
    enforce: "post",
    async closeBundle(error?: Error) {
      // A build that failed has no manifest to amend; its own error is the one to show.
      if (error) return;
      for (const { file, entry, name } of CLASSIC_BUNDLES) {
        await build({
          ...options.shared,
          configFile: false,
          root: options.root,
          publicDir: false,
          logLevel: "warn",
          build: {
            outDir: options.outDir,
            emptyOutDir: false,
            target: "chrome148",
            minify: "oxc",
            sourcemap: false,
            modulePreload: false,
            rolldownOptions: {
              input: resolve(options.root, entry),
              preserveEntrySignatures: name ? "strict" : false,
              output: {
                format: "iife",
                entryFileNames: file,
                codeSplitting: false,
                // Sloppy functions show their callers and arguments, a token among them, to whom they call.
                strict: true,
                ...(name ? { name } : {}),
              },
            },
          },
        });
      }
      await writeRuntime(options);
      const path = resolve(options.outDir, "manifest.json");
      const manifest = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
      manifest.background = { service_worker: "core.js" };
      // Here and not in manifest.json: the plugin for pages would take the sandbox's page for one of its own.
      const sandbox = await sandboxManifest(options.outDir);
      manifest.sandbox = { pages: sandbox.pages };
      manifest.content_security_policy = {
        ...(manifest.content_security_policy as Record<string, string>),
        sandbox: sandbox.policy,
      };
      await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`);
    },
  };
}
