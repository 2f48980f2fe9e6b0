// @ts-check
// Read by any Node, also one that is far too old: plain syntax only, no imports.

/** The oldest Node that the tools of this project run on. */
export const MINIMUM_NODE = "20.19";

/**
 * Says what is wrong with a Node version, or null when it will do.
 * @param {string} version as in `process.versions.node`, such as "20.19.1"
 * @returns {string | null}
 */
export function nodeVersionProblem(version) {
  const have = version.split(".").map(Number);
  const need = MINIMUM_NODE.split(".").map(Number);
  const major = have[0] || 0;
  const minor = have[1] || 0;
  const needMajor = need[0] || 0;
  if (major > needMajor || (major === needMajor && minor >= (need[1] || 0))) return null;
  return (
    "Moggy's tools need Node " +
    MINIMUM_NODE +
    " or newer, and this is Node " +
    version +
    ".\nInstall a newer Node (https://nodejs.org, or your system's packages), open a new terminal and run the command again."
  );
}
