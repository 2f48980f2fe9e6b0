/** True in the eval build only (vite `define`), so that the production bundle holds none of that code. */
declare const __EVAL__: boolean;
/** The version of package.json. */
declare const __VERSION__: string;
