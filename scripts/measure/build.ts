import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "vite";
import { PROJECT_ROOT } from "../lib/root";
import type { Subject } from "./subjects";

export interface Built {
  name: string;
  /** Folder of a scratch extension whose classic worker loads the bundle. */
  extension: string;
  minifiedBytes: number;
  gzipBytes: number;
}

/** Installs every package of the subjects into `folder`. Scripts of packages do not run. */
export async function installPackages(folder: string, subjects: readonly Subject[]): Promise<void> {
  const own = JSON.parse(await readFile(join(PROJECT_ROOT, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const dependencies: Record<string, string> = {};
  for (const [name, version] of subjects.flatMap(({ packages }) => Object.entries(packages))) {
    const wanted = version || own.dependencies[name];
    if (!wanted)
      throw new Error(`${name} is measured with the version in package.json, which does not name it.`);
    dependencies[name] = wanted;
  }
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ private: true, type: "module", dependencies }),
  );
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"];
  await promisify(execFile)("npm", args, { cwd: folder });
}

/** Bundles a subject as the product's own classic bundles are built, into a scratch extension. */
export async function buildSubject(
  folder: string,
  subject: Subject,
  parts: readonly Subject[] = [],
): Promise<Built> {
  const id = subject.name.replace(/[^a-z0-9]+/gi, "-").toLowerCase();
  const source = join(folder, "entries", id);
  await mkdir(source, { recursive: true });
  await writeFile(join(source, "index.js"), subject.code);
  for (const [i, part] of parts.entries()) {
    await writeFile(
      join(source, `part-${i}.js`),
      part.code.replaceAll("globalThis.subject", `globalThis.subject${i}`),
    );
  }
  const extension = join(folder, "extensions", id);
  await build({
    configFile: false,
    root: folder,
    publicDir: false,
    logLevel: "error",
    plugins: [withoutAjv()],
    resolve: { dedupe: ["zod", "@ai-sdk/provider", "@ai-sdk/provider-utils", "@ai-sdk/openai-compatible"] },
    build: {
      outDir: extension,
      emptyOutDir: true,
      target: "chrome148",
      minify: "oxc",
      modulePreload: false,
      rolldownOptions: {
        input: join(source, "index.js"),
        output: { format: "iife", entryFileNames: "subject.js", codeSplitting: false },
      },
    },
  });
  return finishExtension(extension, subject.name);
}

/** Puts a worker and a page around `subject.js` in a folder, which makes it an extension. */
export async function finishExtension(extension: string, name: string): Promise<Built> {
  const manifest = { manifest_version: 3, name, version: "1", background: { service_worker: "worker.js" } };
  await writeFile(join(extension, "manifest.json"), JSON.stringify(manifest));
  await writeFile(join(extension, "page.html"), "<!doctype html><title>measure</title>");
  await writeFile(join(extension, "worker.js"), WORKER);
  const code = await readFile(join(extension, "subject.js"));
  return { name, extension, minifiedBytes: code.length, gzipBytes: gzipSync(code, { level: 9 }).length };
}

const WORKER = `const before = performance.now();
importScripts("subject.js");
const loadMs = performance.now() - before;
chrome.runtime.onMessage.addListener((message, sender, respond) => { respond({ loadMs }); });
`;

/** The MCP client names a validator that needs eval as its default; the product passes another, so it is left out. */
function withoutAjv(): Plugin {
  return {
    name: "measure:without-ajv",
    enforce: "pre",
    resolveId: (id) => (/validation\/ajv-provider(\.js)?$/.test(id) ? "\0no-ajv" : undefined),
    load: (id) => (id === "\0no-ajv" ? "export class AjvJsonSchemaValidator {}" : undefined),
  };
}
