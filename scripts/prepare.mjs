// @ts-check
// Runs before `npm start` and `npm test` on a machine that may have nothing but Node: built-in modules only.
import { nodeVersionProblem } from "./lib/node-version.mjs";

const problem = nodeVersionProblem(process.versions.node);
if (problem) {
  console.error(problem);
  process.exitCode = 1;
} else {
  // Loaded only now: an old Node could not even parse it, and would answer with a syntax error instead of the words above.
  import("./lib/prepare.mjs")
    .then((module) => module.prepare())
    .then((exitCode) => {
      process.exitCode = exitCode;
    });
}
