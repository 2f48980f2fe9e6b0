import { probe } from "../../tests/e2e/harness/probe";
import { KEEPER } from "./keeper";
import type { Area } from "./stage";

/** Files of the workspace, as code of the keeper: their paths and what is in them. */
const FILES: Readonly<Record<string, string>> = {
  "notes.txt": "Grüße, 世界 🐱",
  "reports/2026/noch einer.md": "# Report\n",
  "empty.bin": "",
  "large.txt": "Moggy ".repeat(20_000),
};

/** Files that a script keeps. */
export const filesArea: Area = {
  name: "files",
  session: "first",
  async fill({ openKeeper }) {
    const page = await openKeeper();
    for (const [path, text] of Object.entries(FILES)) {
      await probe(
        page,
        KEEPER,
        `await CAT.agent.opfs.write(${JSON.stringify(path)}, ${JSON.stringify(text)})`,
      );
    }
    await page.close();
    return {
      files: Object.entries(FILES).map(([path, text]) => ({
        path,
        length: text.length,
        start: text.slice(0, 40),
      })),
    };
  },
};
