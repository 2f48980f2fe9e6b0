import { CONSOLE_LEVELS, type ConsoleLevel, MOST_LINE_TEXT } from "../types";

/** Lines a second that go to the host; the others are counted. */
const MOST_A_SECOND = 100;

/** Also hands on what is written to the console, as text. */
export function captureConsole(
  send: (level: ConsoleLevel, text: string, dropped: number) => void,
  now: () => number = () => performance.now(),
): void {
  let since = Number.NEGATIVE_INFINITY;
  let count = 0;
  let dropped = 0;
  for (const level of CONSOLE_LEVELS) {
    const native = console[level].bind(console);
    console[level] = (...parts: unknown[]) => {
      const at = now();
      if (at - since >= 1000) {
        since = at;
        count = 0;
      }
      count += 1;
      if (count > MOST_A_SECOND) {
        dropped += 1;
        return;
      }
      native(...parts);
      send(level, parts.map(shown).join(" ").slice(0, MOST_LINE_TEXT), dropped);
      dropped = 0;
    };
  }
}

/** A value as one reads it: text as it is, errors with their stack, everything else as JSON where it has one. */
function shown(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    if (value instanceof Error) return ownStack(value) ?? String(value);
    return (typeof value === "object" && value !== null ? JSON.stringify(value) : undefined) ?? String(value);
  } catch {
    // A cycle, a BigInt in it, or a toJSON that throws: its kind is what can be said.
    return kindOf(value);
  }
}

function kindOf(value: unknown): string {
  try {
    return Object.prototype.toString.call(value);
  } catch {
    // A proxy, or a Symbol.toStringTag, that throws.
    return "[something that cannot be shown]";
  }
}

/** The stack without the frames of our own page, of which every one ends with some. */
function ownStack({ stack }: Error): string | undefined {
  return stack
    ?.split("\n")
    .filter((line) => !line.includes("chrome-extension://"))
    .join("\n");
}
