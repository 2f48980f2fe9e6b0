import { mkdir, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { build, type InlineConfig, type Plugin, parseAst, type Rolldown } from "vite";
import { partFile, RUNTIME_BASE, RUNTIME_PARTS } from "../src/userscripts/runtime-parts.ts";

/*
 * The runtime of user-script worlds: a base, and parts that are joined to it as text when registrations are planned
 * (composeRuntime). A part has no copy of a module that the base or another part has: its imports of such modules become parameters, and the base
 * hands it exactly these. So the modules are one, with one state, and none is found by a name that scripts could look up.
 *
 * Files, each an expression:
 *   base: (function(){ ...; return start })      start(parts) calls each part with the list of what the base shares
 *   part: (function([a,,b]){ ...; return part }) what it takes of that list, and its default export
 */

const BASE = "src/contexts/userscript/runtime.ts";
const partEntry = (name: string) => `src/contexts/userscript/parts/${name}.ts`;

/** Id of the module that is made up as the base's entry. */
const ENTRY = "\0moggy:runtime-base";
/** How a part names a module of the base. */
const SHARED = "moggy-shared:";

export interface RuntimeBuildOptions {
  root: string;
  shared: InlineConfig;
}

/** Builds the base and all parts. @returns text by file */
export async function buildRuntime(options: RuntimeBuildOptions): Promise<Record<string, string>> {
  const base = resolve(options.root, BASE);
  const inBase = new Set((await bundle(options, base, [])).moduleIds);
  let parts = await buildParts(options, inBase);
  const several = inSeveral(parts.map(({ chunk }) => chunk.moduleIds));
  if (several.length > 0) {
    for (const module of several) inBase.add(module);
    parts = await buildParts(options, inBase);
  }
  const used = new Shared();
  const files: Record<string, string> = {};
  for (const { file, chunk } of parts) files[file] = asExpression(chunk.code, used);
  const whole = await bundle(options, ENTRY, [baseEntry(base, used)]);
  files[RUNTIME_BASE] = asExpression(whole.code, new Shared());
  return files;
}

async function buildParts(options: RuntimeBuildOptions, inBase: ReadonlySet<string>) {
  const parts: Array<{ file: string; chunk: Rolldown.OutputChunk }> = [];
  for (const { name } of RUNTIME_PARTS) {
    const entry = resolve(options.root, partEntry(name));
    parts.push({ file: partFile(name), chunk: await bundle(options, entry, [fromBase(inBase)]) });
  }
  return parts;
}

/** Modules that two parts have: these go into the base too, or each part would have a state of its own. */
function inSeveral(lists: ReadonlyArray<readonly string[]>): string[] {
  const all = lists.flat();
  return [...new Set(all.filter((module, at) => all.indexOf(module) !== at))];
}

/** Builds the runtime's files into a folder. */
export async function writeRuntime(options: RuntimeBuildOptions & { outDir: string }): Promise<void> {
  await mkdir(options.outDir, { recursive: true });
  for (const [file, code] of Object.entries(await buildRuntime(options)))
    await writeFile(resolve(options.outDir, file), code);
}

/** What the base shares: each export of a module of its that some part uses, at an index. */
class Shared {
  readonly all: Array<{ module: string; name: string }> = [];

  indexOf(module: string, name: string): number {
    const known = this.all.findIndex((one) => one.module === module && one.name === name);
    return known >= 0 ? known : this.all.push({ module, name }) - 1;
  }
}

/** In the build of a part: modules of the base stay outside. */
function fromBase(inBase: ReadonlySet<string>): Plugin {
  return {
    name: "moggy:runtime-part",
    enforce: "pre",
    async resolveId(source, importer, options) {
      if (!importer) return null;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      return found && inBase.has(found.id) ? { id: `${SHARED}${found.id}`, external: true } : found;
    },
  };
}

/** The base's entry: `start`, bound to what the parts use of the base's modules. */
function baseEntry(base: string, shared: Shared): Plugin {
  const code = [
    `import start from ${JSON.stringify(base)};`,
    ...shared.all.map(
      ({ module, name }, at) => `import { ${name} as s${at} } from ${JSON.stringify(module)};`,
    ),
    `const shared = [${shared.all.map((_, at) => `s${at}`).join(", ")}];`,
    "export default (parts) => start(parts.map((part) => part(shared)));",
  ].join("\n");
  return {
    name: "moggy:runtime-base",
    enforce: "pre",
    resolveId: (source) => (source === ENTRY ? ENTRY : null),
    load: (id) => (id === ENTRY ? code : null),
  };
}

async function bundle(
  { root, shared }: RuntimeBuildOptions,
  input: string,
  plugins: Plugin[],
): Promise<Rolldown.OutputChunk> {
  const result = await build({
    ...shared,
    configFile: false,
    root,
    publicDir: false,
    logLevel: "warn",
    plugins,
    build: {
      write: false,
      target: "chrome148",
      minify: "oxc",
      sourcemap: false,
      modulePreload: false,
      rolldownOptions: {
        input,
        // A module of which nothing is used goes, whatever it does when evaluated: ours do nothing that others see.
        treeshake: { moduleSideEffects: false },
        preserveEntrySignatures: "strict",
        output: { format: "es", codeSplitting: false },
      },
    },
  });
  const output = Array.isArray(result) ? result[0] : result;
  const chunk = output && "output" in output ? output.output[0] : undefined;
  if (!chunk) throw new Error(`The build of ${input} gave nothing.`);
  return chunk;
}

/** A bundle as an expression: its imports are parameters, its default export is what the function returns. */
function asExpression(code: string, shared: Shared): string {
  const cuts: Array<{ start: number; end: number; text: string }> = [];
  const locals: string[] = [];
  let result: string | undefined;
  for (const node of parseAst(code).body) {
    if (node.type === "ImportDeclaration") {
      for (const specifier of node.specifiers) {
        if (specifier.type !== "ImportSpecifier" || specifier.imported.type !== "Identifier")
          throw new Error(`A part of the runtime must import from ${node.source.value} by names.`);
        const at = shared.indexOf(node.source.value.slice(SHARED.length), specifier.imported.name);
        locals[at] = specifier.local.name;
      }
      cuts.push({ start: node.start, end: node.end, text: "" });
    } else if (node.type === "ExportNamedDeclaration" && !node.declaration && node.specifiers.length === 1) {
      const local = node.specifiers[0]?.local;
      if (local?.type === "Identifier") result = local.name;
      cuts.push({ start: node.start, end: node.end, text: `return ${result}` });
    } else if (/^(Export|Import)/.test(node.type)) {
      throw new Error(
        `The runtime's bundles have one default export and imports by names, not ${node.type}.`,
      );
    }
  }
  if (!result) throw new Error("A bundle of the runtime has no default export.");
  let text = code;
  for (const { start, end, text: by } of cuts.reverse()) text = text.slice(0, start) + by + text.slice(end);
  // Places that this part does not use stay empty.
  const parameters = locals.length > 0 ? `[${Array.from(locals, (name) => name ?? "").join(",")}]` : "";
  // The browser compiles a function in parentheses at once, an arrow function only after it has read it a first time.
  return `(function(${parameters}){${text.replace(/[;\s]+$/, "")}})`;
}
