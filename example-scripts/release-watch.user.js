// ==UserScript==
// @name         Release watch
// @namespace    https://moggy.example/examples
// @version      1.0.0
// @description  Looks in the background for new releases of projects on GitHub, and keeps what it found in its values.
// @author       Moggy
// @license      MIT
// @background
// @connect      api.github.com
// @grant        GM.getValue
// @grant        GM.setValue
// @grant        GM.xmlHttpRequest
// ==/UserScript==

const PROJECTS = ["nodejs/node", "microsoft/TypeScript"];
const EVERY_MS = 60 * 60 * 1000;

/** The newest release of a project, or null when it has none. `fetch` is GM.xmlHttpRequest here: it reaches what @connect names. */
async function newestRelease(project) {
  const response = await fetch(`https://api.github.com/repos/${project}/releases/latest`);
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${project}: the server answered ${response.status}.`);
  const { tag_name: tag, html_url: url } = await response.json();
  return { tag, url };
}

/** Notes what is new since the last time. One project that fails keeps no other from being looked at. */
async function look() {
  const known = await GM.getValue("releases", {});
  for (const project of PROJECTS) {
    try {
      const release = await newestRelease(project);
      if (!release || release.tag === known[project]?.tag) continue;
      known[project] = { ...release, seenAt: Date.now() };
      console.log(`${project} has ${release.tag}: ${release.url}`);
    } catch (error) {
      console.warn(`${error.message} Looking again in an hour.`);
    }
  }
  await GM.setValue("releases", known);
}

look();
setInterval(look, EVERY_MS);
