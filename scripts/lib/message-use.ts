import { constantString, type Messages } from "./messages";
import { isNode, lineOf, parseSource, type SyntaxNode, walk } from "./sources";

/** What a source file says about message keys. */
export interface KeyUse {
  /** Every string that stands alone in the code: a key may be kept in a table before it reaches `t`. */
  strings: Set<string>;
  /** Fixed beginnings of computed strings, such as "models.diagnosis.". */
  prefixes: Set<string>;
  /** Keys and beginnings that are handed to `t` or `t.any` right there. */
  asked: { key: string; prefix: boolean; path: string; line: number }[];
}

/** Reads which keys a file uses. */
export function readKeyUse(path: string, text: string): KeyUse {
  const use: KeyUse = { strings: new Set(), prefixes: new Set(), asked: [] };
  walk(parseSource(path, text).program, (node) => {
    const constant = constantString(node);
    if (constant !== undefined) use.strings.add(constant);
    const prefix = fixedBeginning(node);
    if (prefix !== undefined) use.prefixes.add(prefix);
    if (node.type !== "CallExpression" || !isTranslate(node.callee)) return;
    const [first] = node.arguments as unknown[];
    for (const branch of isNode(first) ? branches(first) : []) {
      const key = constantString(branch) ?? fixedBeginning(branch);
      const computed = branch.type === "TemplateLiteral" && constantString(branch) === undefined;
      if (key !== undefined)
        use.asked.push({ key, prefix: computed, path, line: lineOf(text, branch.start) });
    }
  });
  return use;
}

/**
 * Keys that are asked for and do not exist, and keys that exist and nobody asks for.
 * @returns one sentence per fault, starting with file and line
 */
export function compareUse(english: Messages, uses: readonly KeyUse[]): string[] {
  const keys = [...english.keys()];
  const faults: string[] = [];
  for (const { key, prefix, path, line } of uses.flatMap((use) => use.asked)) {
    const found = prefix ? keys.some((known) => known.startsWith(key)) : english.has(key);
    if (!found)
      faults.push(`${path}:${line}: no message ${prefix ? "begins with" : "has the key"} "${key}".`);
  }
  const strings = new Set(uses.flatMap((use) => [...use.strings]));
  const prefixes = [...new Set(uses.flatMap((use) => [...use.prefixes]))];
  for (const [key, { path, line }] of english) {
    if (strings.has(key) || prefixes.some((prefix) => key.startsWith(prefix))) continue;
    faults.push(`${path}:${line}: "${key}" is used nowhere; take it out of every catalogue.`);
  }
  return faults;
}

/** `t(…)` and `t.any(…)`, whatever object `t` is a member of. */
function isTranslate(callee: unknown): boolean {
  if (!isNode(callee)) return false;
  if (callee.type === "Identifier") return callee.name === "t";
  if (callee.type !== "MemberExpression" || !isNode(callee.property)) return false;
  if (callee.property.name === "t") return true;
  return callee.property.name === "any" && isTranslate(callee.object);
}

/** The expressions that a value may come from: both sides of a condition, and the right of `??`, `||` and `&&`. */
export function branches(node: SyntaxNode): SyntaxNode[] {
  const parts: unknown[] =
    node.type === "ConditionalExpression"
      ? [node.consequent, node.alternate]
      : node.type === "LogicalExpression"
        ? node.operator === "&&"
          ? [node.right]
          : [node.left, node.right]
        : [];
  return parts.length > 0 ? parts.filter(isNode).flatMap(branches) : [node];
}

/** The beginning of a template that has expressions, where that looks like the beginning of a key ("word."). */
function fixedBeginning(node: SyntaxNode): string | undefined {
  if (node.type !== "TemplateLiteral") return undefined;
  const [first, ...rest] = node.quasis as { value: { cooked: string } }[];
  const text = first?.value.cooked ?? "";
  return rest.length > 0 && /^[\w-]+\.([\w-]+\.)*$/.test(text) ? text : undefined;
}
