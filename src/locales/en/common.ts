/** Words that every page shares. */
export const common = {
  "product.name": "Moggy",
  "nav.label": "Pages",
  "nav.skip": "Skip to content",
  "nav.scripts": "Scripts",
  "nav.models": "Models",
  "nav.log": "Log",
  "nav.about": "About",

  "common.cancel": "Cancel",
  "common.close": "Close",
  "common.copied": "Copied",
  "common.copy": "Copy",
  "common.copyFailed": "The text was not copied",
  "common.edit": "Edit",
  "common.loading": "Loading",
  "common.notifications": "Notifications",
  "common.remove": "Remove",
  "common.retry": "Try again",
  "common.save": "Save",
  "common.undo": "Undo",

  "state.on": "On",
  "state.off": "Off",
  "key.escape": "Esc",

  "code.of": "Code of {name}",
  "code.showAll": "Show all {n} lines",
  "code.size": "{lines, plural, one {# line} other {# lines}} · {kilobytes, number} KB",

  "palette.open": "Search",
  "palette.title": "Search commands, scripts and models",
  "palette.placeholder": "Type a command, a script or a model",
  "palette.none": "Nothing is called “{query}”.",
  "palette.go": "Go to",
  "palette.script": "Script",
  "palette.model": "Model",
  "palette.light": "Use the light theme",
  "palette.dark": "Use the dark theme",
  "palette.system": "Use the system’s theme",

  "switch.title": "User scripts are switched off in the browser",
  "switch.why":
    "The browser lets extensions run user scripts only after you have allowed it. Until then no script runs anywhere.",
  "switch.how": "Open Moggy’s page in the browser’s extension settings and switch on “Allow User Scripts”.",
  "switch.open": "Open extension settings",
  "switch.check": "Check again",
  "switch.openFailed": "The extension settings did not open",

  "paused.title": "All scripts are paused",
  "paused.text": "No script runs on the pages that you open.",
  "paused.resume": "Let scripts run",

  "settings.failed": "The setting was not saved",
  "settings.failedRead": "The settings could not be read",
} as const;
