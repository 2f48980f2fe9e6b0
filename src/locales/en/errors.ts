/** Errors that any call may end with, and problems of scripts that have no words of their own. */
export const errors = {
  "error.line": "{what}: {why}",
  "error.unknown": "The extension gave no reason.",
  "error.tryAgain": "Try again. If it keeps failing, reload the page.",
  "error.broken": "This view could not be shown",
  "error.broken.todo": "Try again, or choose another page. Nothing of yours was changed.",
  "error.disconnected": "The extension’s background process restarted in the middle of it.",
  "error.disconnected.todo": "Look whether it took effect, then try again.",
  "error.gone": "Moggy was updated, disabled or removed.",
  "error.gone.todo": "Reload this page.",
  "error.timeout": "The extension’s background process did not answer within 15 seconds.",
  "error.timeout.todo":
    "Try again. If it keeps failing, switch Moggy off and on in the browser’s extension settings.",
  "error.tooMany": "Too many requests to the extension are under way.",
  "error.tooMany.todo": "Wait a moment, then try again.",

  "problem.unknown": "The script has a problem that this page has no words for ({code}).",
  "problem.line": "Line {line}",
  "problem.atLine": "Line {line}: {text}",
} as const;
