// npm run check:locales: everything a person reads is in the message catalogues, in every language, and nothing else is.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findFixedWords } from "./lib/fixed-words";
import { compareManifestMessages } from "./lib/manifest-messages";
import { compareUse, readKeyUse } from "./lib/message-use";
import { compareMessages, type Messages, readMessages } from "./lib/messages";
import { PROJECT_ROOT } from "./lib/root";
import { filesUnder } from "./lib/sources";
import { printError, Stop } from "./lib/stop.mjs";

const SOURCE_LANGUAGE = "en";
const LANGUAGES = ["zh-CN"];

try {
  const sources = (await filesUnder(PROJECT_ROOT, "src")).filter((path) => /(?<!\.d)\.tsx?$/.test(path));
  const texts = new Map(await Promise.all(sources.map(async (path) => [path, await read(path)] as const)));
  const english = catalogue(texts, SOURCE_LANGUAGE);
  const faults = LANGUAGES.flatMap((language) => [
    ...compareMessages(language, english.messages, catalogue(texts, language).messages),
    ...compareMessages(language, english.beside, catalogue(texts, language).beside),
  ]);
  const code = [...texts].filter(([path]) => !isCatalogue(path));
  faults.push(
    ...compareUse(
      english.messages,
      code.map(([path, text]) => readKeyUse(path, text)),
    ),
  );
  for (const [path, text] of code) if (path.endsWith(".tsx")) faults.push(...findFixedWords(path, text));
  faults.push(...(await compareManifestMessages(PROJECT_ROOT)));
  if (faults.length > 0) throw new Stop(faults.join("\n"));
  const count = english.messages.size + english.beside.size;
  console.log(
    `${count} messages, the same in ${[SOURCE_LANGUAGE, ...LANGUAGES].join(" and ")}; all are used.`,
  );
} catch (error) {
  printError(error);
  process.exitCode = 1;
}

function read(path: string): Promise<string> {
  return readFile(join(PROJECT_ROOT, path), "utf8");
}

/** Catalogues are folders in src/locales, and files that stand beside what they describe: `NAME-messages.LANGUAGE.ts`. */
function isCatalogue(path: string): boolean {
  return /^src\/locales\/[\w-]+\//.test(path) || /-messages\.[\w-]+\.ts$/.test(path);
}

/** The messages of one language: those that `t` knows by key, and those that stand beside their subject. */
function catalogue(texts: Map<string, string>, language: string): { messages: Messages; beside: Messages } {
  const messages: Messages = new Map();
  const beside: Messages = new Map();
  for (const [path, text] of texts) {
    if (path.startsWith(`src/locales/${language}/`)) {
      for (const [key, message] of readMessages(path, text)) {
        const before = messages.get(key);
        if (before)
          throw new Stop(`${path}:${message.line}: "${key}" is also in ${before.path}:${before.line}.`);
        messages.set(key, message);
      }
    } else if (path.endsWith(`-messages.${language}.ts`)) {
      // Two subjects may use the same code: the file tells them apart.
      const subject = path.slice(0, -`.${language}.ts`.length);
      for (const [key, message] of readMessages(path, text)) beside.set(`${subject}#${key}`, message);
    }
  }
  return { messages, beside };
}
