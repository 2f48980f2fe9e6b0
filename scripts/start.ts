// npm start: the extension in a browser of its own, with an example script that talks to a model.
import { PROJECT_ROOT } from "./lib/root";
import { printError } from "./lib/stop.mjs";
import { readOptions, USAGE } from "./start/options";
import { runDemo } from "./start/session";

try {
  const options = readOptions(process.argv.slice(2), process.env, PROJECT_ROOT);
  if (options.help) console.log(USAGE);
  else await runDemo(options);
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
