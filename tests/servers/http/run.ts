import { parseArgs } from "node:util";

/** The numbers of a command line, each by its `--name`; throws on any other argument and on what is no whole number. */
export function numberArguments<Name extends string>(names: readonly Name[]): Partial<Record<Name, number>> {
  const options = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
  const { values } = parseArgs({ options });
  const numbers: Partial<Record<Name, number>> = {};
  for (const name of names) {
    const text = values[name];
    if (typeof text !== "string") continue;
    if (!/^\d+$/.test(text)) throw new Error(`--${name} must be a whole number of 0 or more, got "${text}"`);
    numbers[name] = Number(text);
  }
  return numbers;
}

/** Prints a server's addresses as one line of JSON, the first of the output, and closes it on SIGINT or SIGTERM. */
export function announce(addresses: Record<string, unknown>, close: () => Promise<void>): void {
  console.log(JSON.stringify(addresses));
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      close().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(`The server did not close: ${String(error)}`);
          process.exit(1);
        },
      );
    });
  }
}
