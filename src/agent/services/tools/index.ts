import type { OffscreenLink } from "@/offscreen/types";
import { NamedError } from "@/rpc/errors";
import type { Sandbox } from "@/sandbox/service";
import { executeScript } from "./execute-script";
import type { BuiltinTool } from "./tool";
import { webFetch } from "./web-fetch";

/** What the tools are made of; each takes only what it uses. */
export interface BuiltinToolDeps {
  offscreen: OffscreenLink;
  sandbox: Sandbox;
}

/** Makers of the built-in tools. Adding one is a file and a line here. */
const MAKERS: ReadonlyArray<(deps: BuiltinToolDeps) => BuiltinTool> = [webFetch, executeScript];

/** The built-in tools by name. */
export class BuiltinTools {
  readonly #tools: ReadonlyMap<string, BuiltinTool>;

  constructor(deps: BuiltinToolDeps) {
    this.#tools = new Map(MAKERS.map((make) => make(deps)).map((tool) => [tool.name, tool]));
  }

  /** @throws NotFoundError */
  get(name: string): BuiltinTool {
    const found = this.#tools.get(name);
    if (!found) throw new NamedError("NotFoundError", `There is no tool "${name}".`);
    return found;
  }
}
