/** The about page, with the few settings that there are. */
export const about = {
  "about.what": "A userscript manager whose scripts can hold conversations with models.",
  "about.version": "Version",
  "about.browser": "Browser",
  "about.switch": "User scripts",
  "about.failed": "The state of the extension could not be read",
  "about.appearance": "Appearance",
  "about.theme": "Theme",
  "about.theme.system": "As the system",
  "about.theme.light": "Light",
  "about.theme.dark": "Dark",
  "about.language": "Language",
  "about.language.auto": "As the browser",
  "about.keys": "Keyboard",
  "about.keys.palette": "Search everything",
  "about.keys.search": "Search a list",
  "about.keys.close": "Close what is on top",
  "about.privacy": "What stays where",
  "about.privacy.local":
    "Scripts, their values and conversations stay in this browser. There is no server of ours and no telemetry.",
  "about.privacy.models":
    "What a script says to a model goes to the server that you have set up for it, and nowhere else.",
  "about.privacy.keys":
    "Keys are stored encrypted and never leave the extension’s background process, except to their own server.",
  "about.licence": "Licence",
  "about.licence.text": "Moggy is free software under the MIT licence.",
  "about.licence.show": "Show the licence",
} as const;
