// npm test: every check of the project, in the order in which a fault is cheapest to find.
import { runSteps } from "./test/steps";

process.exitCode = await runSteps();
