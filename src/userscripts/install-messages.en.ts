/** What the install check says, beside what the metadata parser says. ICU messages. */
export const INSTALL_MESSAGES = {
  "unsupported.grant":
    "The script asks for {name}, which this version of Moggy does not have. It cannot be installed, since it would fail when it runs.",
  "unsupported.require": "The script loads {url} with @require, which this version of Moggy cannot do yet.",
  "unsupported.resource":
    "The script loads the resource {name} with @resource, which this version of Moggy cannot do yet.",
  "unsupported.require-css":
    "The script loads a style sheet with @require-css, which this version of Moggy cannot do yet.",
  "unsupported.background-grant":
    "The script runs in the background and asks for {name}, which needs a page. It cannot be installed, since it would fail when it runs.",
  "unsupported.crontab":
    "This is a scheduled script (@crontab). This version of Moggy runs scripts on pages only.",
  "unsupported.context-menu":
    "The script runs from the context menu (@run-at context-menu), which this version of Moggy cannot do yet.",
  "unsupported.storage-name":
    "The script shares its values with others by @storageName, which this version of Moggy cannot do yet.",
  "unsupported.run-in":
    "The script runs in some kinds of tabs only (@run-in), which this version of Moggy cannot tell apart yet.",
  "unsupported.top-level-await":
    "The script uses await outside of a function (@top-level-await), which this version of Moggy cannot run yet.",
  "unsupported.unwrap":
    "The script wants to run without a function around it (@unwrap), which this version of Moggy cannot do yet.",
  "unsupported.page-powers":
    "The script wants to run in the page's own world (@inject-into page) and use GM or CAT functions there. This version of Moggy gives those only in a world of the script's own.",
  "unsupported.unsafe-window":
    "The script uses unsafeWindow but runs in a world of its own, because of its GM or CAT functions or of @inject-into content. This version of Moggy cannot do that yet.",
  "unsupported.nul":
    "The script contains a NUL character (U+0000), at which browsers cut it off. Save it as text without such characters.",
  "warning.background":
    "It runs in the background from the start of the browser, without a page, and goes on until you disable it.",
  "warning.everywhere": "It runs on every website ({pattern}).",
  "warning.connect-any": "It may talk to any server on the internet (@connect *).",
  "warning.agent": "It may hold conversations with your models, which can cost money.",
  "notice.crowded":
    "It shares a world with other scripts, since more scripts than the browser has worlds can run on one page.",
  "notice.homeless":
    "It does not run: on some page all ten of the browser's separate worlds are taken, and scripts with far-reaching permissions share none. Disable a script that runs on the same pages.",
  "notice.rejected": "The browser refused to register it: {reason}",
} as const;

export type InstallProblemCode = keyof typeof INSTALL_MESSAGES;
