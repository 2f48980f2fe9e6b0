import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { Stop } from "../lib/stop.mjs";

export interface StartOptions {
  help: boolean;
  headless: boolean;
  /** End when the example's conversation has ended, instead of when the person closes the browser. */
  once: boolean;
  rebuild: boolean;
  /** Absolute path of the profile folder. */
  profile: string;
  /** Port of the demo page; 0 means any that is free. */
  port: number;
  /** A model host of the person's own, instead of the demo model. */
  model?: { url: string; name: string; apiKey?: string };
}

export const USAGE = `npm start -- [options]

Builds the extension, opens Chromium with it, and shows an example script that talks to a model.

  --headless        no window; the conversation is shown here only
  --once            end when the example's conversation has ended (exit code 0 when it went well)
  --model-url URL   an OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1, instead of the built-in demo model
  --model NAME      the model's name there (needed with --model-url)
  --api-key KEY     its key, if it wants one; better given in the environment as MOGGY_API_KEY, which no process list shows
  --profile DIR     the browser profile (default: .moggy/profile)
  --port N          port of the demo page (default: any that is free)
  --rebuild         build even if no source has changed
  --help            this text

Environment
  MOGGY_CHROMIUM          the Chromium to use, instead of the first that is found
  MOGGY_NO_INSTALL        set to anything: never install a Chromium
  MOGGY_INSTALL_TIMEOUT   seconds that one step of an installation may take`;

/**
 * Reads the command line.
 * @param projectRoot the default profile is below it; a given one is relative to the current folder
 * @throws {Stop} when it is wrong, with what is right
 */
export function readOptions(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  projectRoot: string,
): StartOptions {
  const values = parse(args);
  const options: StartOptions = {
    help: values.help ?? false,
    headless: values.headless ?? false,
    once: values.once ?? false,
    rebuild: values.rebuild ?? false,
    profile: values.profile ? resolve(values.profile) : resolve(projectRoot, ".moggy/profile"),
    port: readPort(values.port),
  };
  const url = values["model-url"];
  const apiKey = values["api-key"] ?? env.MOGGY_API_KEY;
  if (url !== undefined) {
    if (!/^https?:$/.test(protocolOf(url))) {
      throw new Stop(
        `--model-url ${url}: that is no http or https address, such as http://127.0.0.1:11434/v1.`,
      );
    }
    if (!values.model)
      throw new Stop("--model-url needs --model NAME: the name of the model to ask for there.");
    options.model = { url, name: values.model, ...(apiKey ? { apiKey } : {}) };
  } else if (values.model !== undefined || values["api-key"] !== undefined) {
    throw new Stop("--model and --api-key belong to a model host: give --model-url URL too.");
  }
  return options;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: "boolean", short: "h" },
        headless: { type: "boolean" },
        once: { type: "boolean" },
        rebuild: { type: "boolean" },
        profile: { type: "string" },
        port: { type: "string" },
        "model-url": { type: "string" },
        model: { type: "string" },
        "api-key": { type: "string" },
      },
    }).values;
  } catch (error) {
    throw new Stop(
      `${error instanceof Error ? error.message : error}\nnpm start -- --help lists the options.`,
    );
  }
}

function readPort(text: string | undefined): number {
  if (text === undefined) return 0;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new Stop(`--port ${text}: a port is a number from 1 to 65535.`);
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : "";
}
