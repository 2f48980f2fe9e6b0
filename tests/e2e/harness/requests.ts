/**
 * Setup of a probe that makes requests: `follow(details, drive?)` sends one by the callback form and resolves, some time after loadend,
 * with all events in order as `name:readyState` (repeated progress once) and what the last ones held.
 */
export const FOLLOW = `const NAMES = ["loadstart", "progress", "readystatechange", "load", "loadend", "error", "abort", "timeout"];
const follow = (details, drive) => new Promise((resolve) => {
  const seen = [];
  const told = {};
  const loaded = [];
  const hooks = Object.fromEntries(NAMES.map((name) => ["on" + name, function (response) {
    const said = name + ":" + response.readyState;
    if (name !== "progress" || seen.at(-1) !== said) seen.push(said);
    if (name === "progress") loaded.push(response.loaded);
    if (this !== response) seen.push("this is not the response");
    told[name] = response;
    if (drive) drive(name, handle, seen);
    // A macrotask later, so that an event too many would be seen.
    if (name === "loadend") setTimeout(() => resolve({ seen, told, loaded }), 50);
  }]));
  const handle = GM_xmlhttpRequest({ ...details, ...hooks });
  if (drive) drive("called", handle, seen);
});
const hex = async (bytes) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))]
  .map((byte) => byte.toString(16).padStart(2, "0")).join("");
const failure = (promise) => promise.then(
  (value) => "no failure: " + JSON.stringify(value),
  (error) => ({ name: error.name, message: error.message, status: error.status, readyState: error.readyState, code: error.code }),
);`;

export interface Failure {
  name: string;
  message: string;
  status?: number;
  readyState?: number;
  code?: string;
}
