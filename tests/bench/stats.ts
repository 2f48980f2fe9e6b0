/** Value at quantile `q` (0 to 1) of the samples, interpolated. */
export function quantile(samples: readonly number[], q: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

export const median = (samples: readonly number[]) => quantile(samples, 0.5);

/** 95 % interval of the ratio of medians of paired samples, by bootstrap over the pairs (2,000 draws, seeded). */
export function ratioInterval(ours: readonly number[], theirs: readonly number[]): [number, number] {
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const ratios: number[] = [];
  for (let draw = 0; draw < 2000; draw++) {
    const picks = ours.map(() => Math.floor(next() * ours.length));
    ratios.push(median(picks.map((i) => ours[i] ?? 0)) / median(picks.map((i) => theirs[i] ?? 0)));
  }
  return [quantile(ratios, 0.025), quantile(ratios, 0.975)];
}

export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`;
}

/** "median (p25 to p75, n)" of samples in milliseconds. */
export function spread(samples: readonly number[]): string {
  return `${ms(median(samples))} (${ms(quantile(samples, 0.25))} to ${ms(quantile(samples, 0.75))}, n=${samples.length})`;
}

/** Prints rows under a heading; the first column is as wide as it must be. */
export function table(title: string, rows: Array<[string, string]>): void {
  const width = Math.max(...rows.map(([name]) => name.length));
  console.log(`\n${title}`);
  for (const [name, value] of rows) console.log(`  ${name.padEnd(width)}  ${value}`);
}
