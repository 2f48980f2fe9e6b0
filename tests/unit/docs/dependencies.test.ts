import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dependencies, devDependencies } from "../../../package.json";

const DOC = join(import.meta.dirname, "../../../docs/dependencies.md");

/** The packages named in the first column of the tables under a heading. */
async function listed(heading: string): Promise<string[]> {
  const section = (await readFile(DOC, "utf8")).split("\n## ").find((part) => part.startsWith(heading)) ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| package"));
  return rows.flatMap((row) => (row.split("|")[1] ?? "").split(",").map((name) => name.trim())).sort();
}

it.each([
  ["In the extension", dependencies],
  ["For building and testing", devDependencies],
])("every package has its line under “%s”, and every line its package", async (heading, packages) => {
  expect(await listed(heading)).toEqual(Object.keys(packages).sort());
});
