/** The popup. */
export const popup = {
  "popup.noSite": "No page",
  "popup.noTab": "This window has no tab that scripts could run in.",
  "popup.running": "Scripts on",
  "popup.paused": "All paused",
  "popup.pause": "Pause all scripts",
  "popup.resume": "Let scripts run again",
  "popup.scripts": "Scripts on this page",
  "popup.commands": "Commands of scripts",
  "popup.untitled": "Command without a name",
  "popup.new": "New script",
  "popup.reload": "Reload the page to see the change.",
  "popup.reload.do": "Reload",
  "popup.none": "No script runs here",
  "popup.why.browserPage": "This is one of the browser’s own pages, where extensions may not run scripts.",
  "popup.why.switchOff": "User scripts are switched off in the browser.",
  "popup.why.paused": "All scripts are paused. The switch above lets them run again.",
  "popup.why.noMatch": "None of your scripts is written for this address.",
  "popup.why.nothingInstalled": "No script is installed yet.",
  "popup.why.noneOf":
    "{n, plural, one {Your one script is not written for this address.} other {None of your # scripts is written for this address.}}",

  "popup.failed.tab": "The page could not be found out",
  "popup.failed.scripts": "The scripts for this page could not be read",
  "popup.failed.command": "“{title}” did not run",
  "popup.failed.reload": "The page was not reloaded",
  "popup.failed.open": "The page did not open",
} as const;
