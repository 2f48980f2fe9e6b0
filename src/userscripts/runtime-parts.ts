/**
 * The larger APIs, which a world's runtime has only when a script of that world was granted them: what nobody there may call is not
 * injected. The build makes one runtime for each combination, so that none carries a seam. Adding a part is a line here, a
 * constant in types/build.d.ts and its use in src/contexts/userscript/apis.ts.
 */
export const RUNTIME_PARTS = [
  { name: "values", needed: (grant: string) => /Values?$|ValueChangeListener$/.test(grant) },
  { name: "xmlhttp", needed: (grant: string) => /xmlhttpRequest$/i.test(grant) },
  { name: "agent", needed: (grant: string) => grant.startsWith("CAT.agent.") },
] as const;

/** File of the runtime that has what these grants need. */
export function runtimeFileFor(grants: Iterable<string>): string {
  const list = [...grants];
  return runtimeFile(RUNTIME_PARTS.filter(({ needed }) => list.some(needed)).map(({ name }) => name));
}

/** File of the runtime with these parts, which must be in the order of {@link RUNTIME_PARTS}. */
export function runtimeFile(parts: readonly string[]): string {
  return `${["runtime", ...parts].join("-")}.js`;
}

/** Every combination of parts, the empty one first. */
export function runtimeCombinations(): string[][] {
  let all: string[][] = [[]];
  for (const { name } of RUNTIME_PARTS) all = [...all, ...all.map((parts) => [...parts, name])];
  return all;
}

/** Address of our own injected code in DevTools. */
export const OWN_SOURCE = "moggy-runtime:///";
