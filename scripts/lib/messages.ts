import { IntlMessageFormat } from "intl-messageformat";
import { isNode, lineOf, parseSource, type SyntaxNode, walk } from "./sources";

/** One message of a catalogue and where it stands. */
export interface Message {
  text: string;
  path: string;
  line: number;
}

export type Messages = Map<string, Message>;

/**
 * Reads the messages of a catalogue file: every property whose value is a string. A catalogue holds nothing else, and is read, not run, so that each fault can name its line.
 * @param path ends in .ts
 */
export function readMessages(path: string, text: string): Messages {
  const messages: Messages = new Map();
  walk(parseSource(path, text).program, (node) => {
    if (node.type !== "Property" || !isNode(node.key) || !isNode(node.value)) return;
    const key =
      constantString(node.key) ?? (node.key.type === "Identifier" ? String(node.key.name) : undefined);
    const value = constantString(node.value);
    if (key !== undefined && value !== undefined) {
      messages.set(key, { text: value, path, line: lineOf(text, node.start) });
    }
  });
  return messages;
}

/** The text of an expression that is a string by itself: a literal, a template without expressions, or a sum of those. */
export function constantString(node: SyntaxNode): string | undefined {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type === "TemplateLiteral") {
    const quasis = node.quasis as { value: { cooked: string } }[];
    return quasis.length === 1 ? quasis[0]?.value.cooked : undefined;
  }
  if (node.type === "BinaryExpression" && node.operator === "+" && isNode(node.left) && isNode(node.right)) {
    const left = constantString(node.left);
    const right = constantString(node.right);
    return left !== undefined && right !== undefined ? left + right : undefined;
  }
  return undefined;
}

/**
 * Compares the catalogue of a language with the English one: the same keys, the same placeholders, and ICU syntax that parses.
 * @returns one sentence per fault, starting with file and line
 */
export function compareMessages(language: string, english: Messages, other: Messages): string[] {
  const faults: string[] = [];
  for (const [key, message] of english) {
    const translated = other.get(key);
    if (!translated) {
      faults.push(`${at(message)} "${key}" is missing in ${language}.`);
      continue;
    }
    const wanted = placeholders(message);
    const found = placeholders(translated);
    if ("fault" in wanted) faults.push(`${at(message)} "${key}": ${wanted.fault}`);
    else if ("fault" in found) faults.push(`${at(translated)} "${key}": ${found.fault}`);
    else if (wanted.names.join() !== found.names.join()) {
      faults.push(
        `${at(translated)} "${key}" has the placeholders ${braced(found.names)}, and in English ${braced(wanted.names)}.`,
      );
    }
  }
  for (const [key, message] of other) {
    if (!english.has(key)) faults.push(`${at(message)} "${key}" is not in the English catalogue.`);
  }
  return faults;
}

/** The names of a message's placeholders, sorted; those within plural and select forms count too. */
function placeholders({ text }: Message): { names: string[] } | { fault: string } {
  try {
    const names = new Set<string>();
    collectNames(new IntlMessageFormat(text, "en", undefined, { ignoreTag: true }).getAst(), names);
    return { names: [...names].sort() };
  } catch (error) {
    return { fault: `this is not a valid ICU message: ${error instanceof Error ? error.message : error}` };
  }
}

/** ICU elements: 0 is literal text and 7 the "#" of a plural; every other has a name, and plural and select have options. */
function collectNames(elements: readonly unknown[], names: Set<string>): void {
  for (const element of elements as {
    type: number;
    value?: string;
    options?: Record<string, { value: unknown[] }>;
  }[]) {
    if (element.type !== 0 && element.type !== 7 && element.value !== undefined) names.add(element.value);
    for (const option of Object.values(element.options ?? {})) collectNames(option.value, names);
  }
}

const at = (message: Message) => `${message.path}:${message.line}:`;

const braced = (names: string[]) =>
  names.length > 0 ? names.map((name) => `{${name}}`).join(" ") : "(none)";
