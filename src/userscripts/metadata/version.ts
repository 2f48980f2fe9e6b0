/** Runs of digits and of anything else: "10rc2" is ["10", "rc", "2"]. */
const RUNS = /\d+|\D+/g;

/**
 * Compares two `@version` values. Components are separated by dots and compared as numbers (2.63 is newer than 2.8);
 * a missing component is 0; a word after a number makes it older (1.0-beta and 1.0b are older than 1.0), which is
 * both semver's pre-release rule and Mozilla's toolkit version format. A leading "v" and semver's build part ("+…")
 * count for nothing. A script without a version cannot be compared: that is for the caller to say.
 * @returns -1 when `a` is older, 1 when it is newer, 0 when they are equal.
 */
export function compareVersions(a: string, b: string): -1 | 0 | 1 {
  const left = components(a);
  const right = components(b);
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const order = compareComponents(left[i] ?? "0", right[i] ?? "0");
    if (order !== 0) return order;
  }
  return 0;
}

function components(version: string): string[] {
  return version
    .trim()
    .replace(/^v(?=\d)/i, "")
    .replace(/\+.*$/, "")
    .split(".");
}

function compareComponents(a: string, b: string): -1 | 0 | 1 {
  const left = runs(a);
  const right = runs(b);
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const l = left[i];
    const r = right[i];
    // Even positions are numbers. A word that only one side has makes that side the older one.
    const isNumber = i % 2 === 0;
    if (isNumber) {
      const order = compareNumbers(l ?? "0", r ?? "0");
      if (order !== 0) return order;
    } else if (l !== r) {
      if (l === undefined) return 1;
      if (r === undefined) return -1;
      return l < r ? -1 : 1;
    }
  }
  return 0;
}

function runs(component: string): string[] {
  const parts: string[] = component.match(RUNS) ?? ["0"];
  return /^\d/.test(parts[0] ?? "") ? parts : ["0", ...parts];
}

/** Compares digit strings of any length, so that timestamps longer than a double keeps are right. */
function compareNumbers(a: string, b: string): -1 | 0 | 1 {
  const l = a.replace(/^0+/, "");
  const r = b.replace(/^0+/, "");
  if (l === r) return 0;
  const less = l.length === r.length ? l < r : l.length < r.length;
  return less ? -1 : 1;
}
