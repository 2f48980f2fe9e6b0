import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import project from "./package.json" with { type: "json" };

const root = import.meta.dirname;

/** What every project shares: the same aliases and build constants as vite.config.ts. */
const shared = {
  resolve: { alias: { "@": resolve(root, "src"), "@tests": resolve(root, "tests") } },
  define: {
    __EVAL__: "false",
    __VERSION__: JSON.stringify(project.version),
  },
};

export default defineConfig({
  test: {
    projects: [
      {
        ...shared,
        test: {
          name: "unit",
          // A file that needs a DOM asks for it with a docblock: `@vitest-environment jsdom`.
          environment: "node",
          include: ["tests/unit/**/*.test.{ts,tsx}"],
          testTimeout: 15_000,
          hookTimeout: 30_000,
          restoreMocks: true,
        },
      },
      {
        ...shared,
        test: {
          name: "e2e",
          environment: "node",
          include: ["tests/e2e/**/*.test.ts", "tests/security/**/*.test.ts"],
          // Builds that are out of date are built, and the Chromium is found once: inject("chromium").
          globalSetup: ["scripts/lib/vitest-browser.ts"],
          // A browser and its servers per file: one file at a time, or timings would mean nothing.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // What is waited for is an event; how long it may take on a busy machine is no part of what is tested.
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
});
