/**
 * The larger APIs, which a world's runtime has only when a script of that world was granted them: what nobody there may call is not
 * injected. Adding one is a line here and its file, `src/contexts/userscript/parts/<name>.ts`.
 */
export const RUNTIME_PARTS: readonly RuntimePartRule[] = [
  { name: "style", needed: (grant) => /addStyle$/.test(grant) },
  { name: "menu", needed: (grant) => /MenuCommand$/.test(grant) },
  { name: "values", needed: (grant) => /Values?$|ValueChangeListener$/.test(grant) },
  { name: "xmlhttp", needed: (grant) => /xmlhttpRequest$/i.test(grant) },
  { name: "agent", needed: (grant) => /^CAT\.agent\.(?!opfs$)/.test(grant) },
  { name: "files", needed: (grant) => grant === "CAT.agent.opfs" },
];

export interface RuntimePartRule {
  readonly name: string;
  needed(grant: string): boolean;
}

/** What every world's runtime has. */
export const RUNTIME_BASE = "runtime.js";

/** File of a part in the build. */
export function partFile(name: string): string {
  return `runtime-${name}.js`;
}

/** The files of the build that runtimes are made of. */
export const RUNTIME_FILES: readonly string[] = [
  RUNTIME_BASE,
  ...RUNTIME_PARTS.map(({ name }) => partFile(name)),
];

/** Address of our own injected code in DevTools. */
export const OWN_SOURCE = "moggy-runtime:///";

/**
 * The code of a world's runtime: the base and the parts that these grants need, handed to it as arguments, so that nothing of them is
 * where a script of the world could reach it. One text, since a world must never be seen half made.
 * @param files texts of {@link RUNTIME_FILES}, each an expression (build/runtime-bundles.ts)
 */
export function composeRuntime(files: Readonly<Record<string, string>>, grants: Iterable<string>): string {
  const list = [...grants];
  const names = RUNTIME_PARTS.filter(({ needed }) => list.some(needed)).map(({ name }) => name);
  const parts = names.map((name) => files[partFile(name)] ?? "");
  // Strict throughout: sloppy functions show their callers and arguments, a token among them, to whom they call.
  return `(function(){"use strict";${files[RUNTIME_BASE] ?? ""}()([${parts.join(",")}])})();
//# sourceURL=${OWN_SOURCE}${["runtime", ...names].join("-")}.js`;
}
