import { branches } from "./message-use";
import { constantString } from "./messages";
import { isNode, lineOf, parseSource, type SyntaxNode, walk } from "./sources";

/** Attributes whose text a person sees or hears. */
const SPOKEN =
  /^(title|placeholder|alt|label|description|summary|heading|caption|aria-(label|description|roledescription|valuetext|placeholder))$/;

/** Names of things, which are the same in every language, and key caps. */
const NAMES = new Set(["Moggy", "Ctrl", "Cmd", "Alt", "Shift", "Esc", "Enter", "Tab"]);

/**
 * Words for people that are written into JSX instead of the message catalogue: text, strings in expressions between tags, and attributes that are
 * shown or spoken.
 * @returns one sentence per fault, starting with file and line
 */
export function findFixedWords(path: string, text: string): string[] {
  const faults: string[] = [];
  const judge = (words: string | undefined, offset: number) => {
    const trimmed = words?.trim() ?? "";
    if (!/\p{L}{2,}/u.test(trimmed) || NAMES.has(trimmed)) return;
    faults.push(
      `${path}:${lineOf(text, offset)}: "${trimmed.slice(0, 60)}" belongs in the message catalogue.`,
    );
  };
  const judgeExpression = (container: SyntaxNode) => {
    if (!isNode(container.expression)) return;
    for (const branch of branches(container.expression)) judge(words(branch), branch.start);
  };
  walk(parseSource(path, text).program, (node) => {
    if (node.type === "JSXText") judge(String(node.value), node.start + leading(String(node.value)));
    if (node.type === "JSXElement" || node.type === "JSXFragment") {
      for (const child of node.children as SyntaxNode[]) {
        if (child.type === "JSXExpressionContainer") judgeExpression(child);
      }
    }
    if (node.type === "JSXAttribute" && isNode(node.name) && SPOKEN.test(String(node.name.name))) {
      if (!isNode(node.value)) return;
      if (node.value.type === "JSXExpressionContainer") judgeExpression(node.value);
      else judge(constantString(node.value), node.start);
    }
  });
  return faults;
}

/** The fixed text of an expression, also around the holes of a template. */
function words(node: SyntaxNode): string | undefined {
  if (node.type !== "TemplateLiteral") return constantString(node);
  return (node.quasis as { value: { cooked: string } }[]).map((quasi) => quasi.value.cooked).join(" ");
}

const leading = (text: string) => text.length - text.trimStart().length;
