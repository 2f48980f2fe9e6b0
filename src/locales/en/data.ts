/** The full-page notices about stored data that cannot be used now. */
export const data = {
  "data.updating.title": "Moggy is updating its data",
  "data.updating.text":
    "This happens once after an update and usually takes a moment. You may close this page; nothing is lost by it.",
  "data.updating.progress": "{done, number} of {steps, number} steps done",

  "data.failed.title": "Moggy could not update its data",
  "data.failed.kept":
    "What was stored before is kept. Until the update is through, Moggy does nothing with it.",
  "data.failed.todo":
    "Try again. If it keeps failing, make sure that there is room on the disk, and start the browser anew.",
  "data.failed.again": "It failed again.",

  "data.newer.title": "This Moggy is older than its data",
  "data.newer.why":
    "Moggy {writer} wrote the data in this browser profile. This is Moggy {version}, which does not know its form.",
  "data.newer.whyUnknown":
    "A newer Moggy wrote the data in this browser profile. This is Moggy {version}, which does not know its form.",
  "data.newer.kept":
    "Your data is untouched. Until then nothing is read or written, and scripts cannot reach what they stored.",
  "data.newer.todo": "Install Moggy {writer} or a newer one, then open this page again.",
  "data.newer.todoUnknown": "Install the newest Moggy, then open this page again.",
} as const;
