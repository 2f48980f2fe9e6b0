import type { Files, FilesDeps } from "@/files/create";
import { LazyScript } from "./lazy-script";

/** What files-service.js leaves for core.js. */
export interface FilesModule {
  create(deps: FilesDeps): Files;
}

declare global {
  var moggyFiles: FilesModule | undefined;
}

/** Files, whose half in the worker is a bundle of its own: it comes with the first call that has to do with files. */
export function createFilesDoor(deps: FilesDeps): { load(): Files } {
  const script = new LazyScript("files-service.js", () => globalThis.moggyFiles);
  let files: Files | undefined;
  const load = (): Files => {
    files ??= script.load().create(deps);
    return files;
  };
  for (const prefix of ["files.", "agent.opfs."]) {
    deps.router.registerLazy(prefix, async () => void load());
  }
  return { load };
}
