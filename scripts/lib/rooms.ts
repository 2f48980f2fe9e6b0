import { posix } from "node:path";
import { lineOf, parseSource } from "./sources";

/**
 * The room a file is in: its first folder under src, or its first two under src/agent, whose parts are rooms of their own.
 * @param path relative to the project, such as "src/agent/core/loop/step.ts"
 */
export function roomOf(path: string): string {
  const [top, first = "", second = ""] = path.split("/");
  if (top !== "src") return "";
  return first === "agent" ? `agent/${second}` : first;
}

/** Files outside of src that the product may show a person or take facts from. A build depends on them: see lib/builds.ts. */
const OUTSIDE = new Set(["LICENSE", "manifest.json", "package.json"]);

/**
 * Relative imports that lead out of their room. They must be written with "@/", for the boundary rules read the specifier: a
 * relative one would slip past them.
 * @returns one sentence per fault, starting with file and line
 */
export function findLeavingImports(path: string, text: string): string[] {
  const faults: string[] = [];
  for (const { specifier, start } of parseSource(path, text).imports) {
    if (!specifier.startsWith(".")) continue;
    const target = posix.join(posix.dirname(path), specifier);
    if (roomOf(target) === roomOf(path)) continue;
    if (!target.startsWith("src/")) {
      if (OUTSIDE.has(target.replace(/\?.*$/, ""))) continue;
      faults.push(
        `${path}:${lineOf(text, start)}: "${specifier}" leads out of src; the product is made of src alone.`,
      );
      continue;
    }
    faults.push(
      `${path}:${lineOf(text, start)}: "${specifier}" leads out of the room ${roomOf(path)}; write it as "@/${target.replace(/^src\//, "")}".`,
    );
  }
  return faults;
}
