import { checkInstall } from "@/userscripts/install";

declare global {
  /** What install-check.js leaves for core.js: the reader of headers, which a start that installs nothing does without. */
  var moggyInstallCheck: typeof checkInstall | undefined;
}

globalThis.moggyInstallCheck = checkInstall;
