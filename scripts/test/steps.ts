import type { Step } from "./run";

/** Everything that `npm test` checks, in the order in which a fault is cheapest to find. */
export const STEPS: readonly Step[] = [
  ...["tsconfig.json", "tsconfig.core.json", "tsconfig.tests.json"].map(
    (config): Step => ({
      title: `types (${config})`,
      command: ["tsc", "-p", config],
      advice: "Fix the types named above; `npm run typecheck` runs this alone.",
    }),
  ),
  {
    title: "lint and format",
    command: ["biome", "ci", "--error-on-warnings"],
    advice: "`npm run format` repairs what can be repaired by itself; the rest is told above.",
  },
  {
    title: "room boundaries",
    command: ["tsx", "scripts/check-imports.ts"],
    advice: 'Across rooms, import with "@/"; docs/contributing.md says which room may see which.',
  },
  {
    title: "message catalogues",
    command: ["tsx", "scripts/check-locales.ts"],
    advice: "Every string a person sees belongs in src/locales, in each language.",
  },
  {
    title: "unit tests",
    command: ["vitest", "run", "--project", "unit"],
    advice: "`npm run unit -- NAME` runs the files whose path contains NAME.",
    counts: true,
  },
  {
    title: "build",
    command: ["tsx", "scripts/build.ts", "production"],
    advice: "The sources do not build; the message above names the file.",
  },
  {
    title: "build:eval",
    command: ["tsx", "scripts/build.ts", "eval"],
    advice: "The sources do not build; the message above names the file.",
  },
  {
    title: "bundle sizes",
    command: ["tsx", "scripts/audit-size.ts"],
    advice:
      "A bundle is over its budget in build/budgets.json: find what it has taken in, and load that later or drop it.",
  },
  {
    title: "browser tests",
    command: ["vitest", "run", "--project", "e2e"],
    advice: "`npm run e2e -- NAME` runs the files whose path contains NAME.",
    counts: true,
  },
];
