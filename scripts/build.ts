// npm run build | npm run build:eval
import { BUILD_KINDS, type BuildKind, buildFolder, runBuild } from "./lib/builds";
import { printError, Stop } from "./lib/stop.mjs";

try {
  const kind = readKind(process.argv[2]);
  const started = Date.now();
  await runBuild(kind);
  console.log(`Built ${buildFolder(kind)} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
} catch (error) {
  printError(error);
  process.exitCode = 1;
}

function readKind(word: string | undefined): BuildKind {
  const kind = BUILD_KINDS.find((known) => known === word);
  if (!kind) throw new Stop(`Say which build: ${BUILD_KINDS.join(" or ")}.`);
  return kind;
}
