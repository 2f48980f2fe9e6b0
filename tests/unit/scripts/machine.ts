import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const scripts = resolve(import.meta.dirname, "../../../scripts");

/**
 * A made-up machine for the pre-script: a project with a copy of the real script, a PATH that holds only the fakes a test puts
 * there, a system root, and a home folder.
 */
export class Machine {
  readonly folder = mkdtempSync(join(tmpdir(), "moggy-machine-"));
  readonly project = join(this.folder, "project");
  readonly bin = join(this.folder, "bin");
  readonly system = join(this.folder, "system");
  readonly home = join(this.folder, "home");
  private readonly log = join(this.folder, "log");

  constructor() {
    for (const folder of [this.project, this.bin, this.system, this.home]) mkdirSync(folder);
    cpSync(join(scripts, "prepare.mjs"), join(this.project, "scripts/prepare.mjs"));
    cpSync(join(scripts, "lib"), join(this.project, "scripts/lib"), { recursive: true });
    this.write("project/package.json", '{ "type": "module" }');
    this.lock({ "node_modules/one": { version: "1.0.0", integrity: "sha512-one" } });
  }

  /** Writes package-lock.json. */
  lock(packages: Record<string, { version: string; integrity: string; optional?: boolean }>): void {
    this.write("project/package-lock.json", JSON.stringify({ packages: { "": {}, ...packages } }));
  }

  /** Writes what npm notes about an installation that it made. */
  installed(packages: Record<string, { version: string; integrity: string }>): void {
    this.write("project/node_modules/.package-lock.json", JSON.stringify({ packages }));
  }

  /** Puts a program on PATH that notes its call and then does what `body` (sh) says. */
  fake(name: string, body = ""): void {
    this.program(`bin/${name}`, `echo "${name} $*" >> "${this.log}"\n${body}`);
  }

  /** Puts a program that answers `--version`, somewhere below the machine's folder. */
  browser(path: string, says: string): string {
    return this.program(path, `echo "${says}"`);
  }

  /** sh text that makes such a program, for the body of a fake installer. */
  makesBrowser(path: string, says: string): string {
    const target = join(this.folder, path);
    return `/bin/mkdir -p "${dirname(target)}"
printf '#!/bin/sh\\necho "${says}"\\n' > "${target}"
/bin/chmod +x "${target}"`;
  }

  /** Installs a stand-in for playwright-core whose command line does what `code` (JavaScript) says. */
  playwright(code: string): void {
    const noted = `require("node:fs").appendFileSync(${JSON.stringify(this.log)}, "playwright " + process.argv.slice(2).join(" ") + "\\n");`;
    this.write("project/node_modules/playwright-core/package.json", '{ "type": "commonjs" }');
    this.write("project/node_modules/playwright-core/cli.js", `${noted}\n${code}`);
  }

  write(path: string, text: string): string {
    const target = join(this.folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    return target;
  }

  private program(path: string, body: string): string {
    const target = this.write(path, `#!/bin/sh\n${body}\n`);
    chmodSync(target, 0o755);
    return target;
  }

  /** Runs the real script. `calls` are the fakes that were called, in order, with their arguments. */
  prepare(env: Record<string, string> = {}): { code: number | null; output: string; calls: string[] } {
    rmSync(this.log, { force: true });
    const result = spawnSync(process.execPath, [join(this.project, "scripts/prepare.mjs")], {
      cwd: this.folder,
      encoding: "utf8",
      env: { PATH: this.bin, HOME: this.home, MOGGY_SYSTEM_ROOT: this.system, ...env },
    });
    const calls = existsSync(this.log) ? readFileSync(this.log, "utf8").trim().split("\n") : [];
    return { code: result.status, output: result.stdout + result.stderr, calls };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
