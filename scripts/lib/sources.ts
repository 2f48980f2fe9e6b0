import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { parseSync } from "vite";
import { Stop } from "./stop.mjs";

/** All files below a folder, as sorted paths relative to `root`, with forward slashes; none when there is no such folder. */
export async function filesUnder(root: string, folder: string): Promise<string[]> {
  const absolute = join(root, folder);
  if (!existsSync(absolute)) return [];
  const entries = await readdir(absolute, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort();
}

/** A node of the ESTree that the parser gives; its other members depend on `type`. */
export interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [member: string]: unknown;
}

export interface ImportRequest {
  /** As written. */
  specifier: string;
  /** Offset of the specifier. */
  start: number;
  /** By `import()`, so loaded only when the code gets there. */
  dynamic: boolean;
}

export interface ParsedSource {
  program: SyntaxNode;
  /** What the module imports or re-exports, types included. */
  imports: ImportRequest[];
}

/**
 * Parses JavaScript or TypeScript, with or without JSX, by the ending of its name.
 * @throws {Stop} naming the file, the line and the fault when it does not parse
 */
export function parseSource(path: string, text: string): ParsedSource {
  const result = parseSync(path, text);
  const fault = result.errors[0];
  if (fault) {
    throw new Stop(`${path}:${lineOf(text, fault.labels[0]?.start ?? 0)}: does not parse: ${fault.message}`);
  }
  const requests = [
    ...result.module.staticImports.map((entry) => entry.moduleRequest),
    ...result.module.staticExports.flatMap((entry) => entry.entries.map((one) => one.moduleRequest)),
  ].filter((request) => request !== null);
  const imports = requests.map(
    ({ value, start }): ImportRequest => ({ specifier: value, start, dynamic: false }),
  );
  for (const { moduleRequest } of result.module.dynamicImports) {
    const literal = /^(["'`])([^"'`$]*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end));
    // A computed specifier names no module that could be judged; none is used in this project's sources.
    if (literal?.[2] !== undefined) {
      imports.push({ specifier: literal[2], start: moduleRequest.start, dynamic: true });
    }
  }
  return { program: result.program as unknown as SyntaxNode, imports };
}

/** Calls `visit` for every node, parents first. */
export function walk(node: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  visit(node);
  for (const child of Object.values(node)) {
    if (Array.isArray(child)) {
      for (const item of child) if (isNode(item)) walk(item, visit);
    } else if (isNode(child)) walk(child, visit);
  }
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof (value as SyntaxNode).type === "string";
}

/** The 1-based line of an offset. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
