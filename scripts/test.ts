// npm test: every check of the project; the last line is the sum of the tests.
import { runSteps } from "./test/run";
import { STEPS } from "./test/steps";

process.exitCode = await runSteps(STEPS);
