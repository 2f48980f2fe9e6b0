import { cpus } from "node:os";
import type { Built } from "./build";
import { quantile, type StartTimes } from "./starts";

const KB = 1000;

/** The measured costs as a Markdown table, with the machine and the method under it. */
export function costTable(
  built: readonly Built[],
  times: ReadonlyMap<string, StartTimes>,
  run: { rounds: number; chromium: string },
): string {
  const rows = built.map(({ name, minifiedBytes, gzipBytes }) => {
    const { load = [], call = [] } = times.get(name) ?? {};
    const cells = [kb(minifiedBytes), kb(gzipBytes), ms(load, 0.5), ms(load, 0), ms(call, 0.5), ms(call, 0)];
    return `| ${name} | ${cells.join(" | ")} |`;
  });
  return [
    "| bundle | minified KB | gzip KB | load ms, median | lowest | cold call ms, median | lowest |",
    "|---|---:|---:|---:|---:|---:|---:|",
    ...rows,
    "",
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? "unknown"}), Chromium ${run.chromium}, headless, ` +
      `${run.rounds} fresh starts each, taking turns. KB are 1,000 bytes.`,
  ].join("\n");
}

function kb(bytes: number): string {
  return (bytes / KB).toFixed(1);
}

function ms(values: readonly number[], q: number): string {
  return values.length === 0 ? "–" : quantile(values, q).toFixed(1);
}
