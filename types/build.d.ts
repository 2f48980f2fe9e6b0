/** True in the eval build only (vite `define`), so that the production bundle holds none of that code. */
declare const __EVAL__: boolean;
/** Which parts this build of the user-script runtime has (src/userscripts/runtime-parts.ts). */
declare const __PART_VALUES__: boolean;
declare const __PART_XMLHTTP__: boolean;
declare const __PART_AGENT__: boolean;
/** The version of package.json. */
declare const __VERSION__: string;
