import { resolve } from "node:path";
import { crx } from "@crxjs/vite-plugin";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { classicWorker } from "./build/classic-worker.ts";
import manifest from "./manifest.json" with { type: "json" };
import project from "./package.json" with { type: "json" };

const root = import.meta.dirname;

/** `vite build` writes dist/; `vite build --mode eval` writes dist-eval/, which also answers `eval:*` messages. */
export default defineConfig(({ mode }) => {
  const isEval = mode === "eval";
  const outDir = resolve(root, isEval ? "dist-eval" : "dist");
  const shared = {
    resolve: { alias: { "@": resolve(root, "src") } },
    define: { __EVAL__: JSON.stringify(isEval), __VERSION__: JSON.stringify(project.version) },
  };
  return {
    ...shared,
    root: resolve(root, "src/pages"),
    publicDir: resolve(root, "public"),
    plugins: [
      react(),
      tailwindcss(),
      crx({ manifest: { ...manifest, version: project.version } as Parameters<typeof crx>[0]["manifest"] }),
      classicWorker({ root, outDir, shared }),
    ],
    build: {
      outDir,
      emptyOutDir: true,
      target: "chrome148",
      modulePreload: false,
      rolldownOptions: {
        input: {
          install: resolve(root, "src/pages/install.html"),
          consent: resolve(root, "src/pages/consent.html"),
          offscreen: resolve(root, "src/pages/offscreen.html"),
        },
      },
    },
  };
});
