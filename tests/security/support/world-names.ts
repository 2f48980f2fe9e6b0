/** Every name of the GM and CAT surface, built yet or not: what no script may find without having asked for it. */
export const GM_NAMES = (
  "info getValue setValue deleteValue listValues getValues setValues deleteValues addValueChangeListener " +
  "removeValueChangeListener log addStyle addElement getResourceText getResourceURL getResourceUrl registerMenuCommand " +
  "unregisterMenuCommand xmlhttpRequest xmlHttpRequest fetch notification closeNotification updateNotification openInTab " +
  "closeInTab getTab saveTab getTabs setClipboard download cookie cookies audio webRequest"
).split(" ");

export const OTHER_NAMES = (
  "GM CAT CAT_userConfig CAT_scriptLoaded CAT_fetchDocument CAT_fetchBlob CAT_createBlobUrl CAT_registerMenuInput " +
  "CAT_unregisterMenuInput CATRetryError unsafeWindow exportFunction cloneInto chrome browser token session rpc mux sessions " +
  "payload factory boot granted values errors bundled moggy"
).split(" ");

/**
 * An expression for a script's code: all those names that it finds, its own `GM.*` and `CAT.agent.*` among them. The names are not
 * spelled out, since some of them, only mentioned, have an install refused.
 */
export const FOUND_NAMES = `(() => {
  const found = [];
  for (const name of atob("${btoa([...GM_NAMES.map((name) => `GM_${name}`), ...OTHER_NAMES].join(" "))}").split(" "))
    if (eval("typeof " + name) !== "undefined") found.push(name);
  if (typeof GM !== "undefined") for (const name of Reflect.ownKeys(GM)) found.push("GM." + String(name));
  if (typeof CAT !== "undefined") {
    for (const name of Reflect.ownKeys(CAT)) if (name !== "agent") found.push("CAT." + String(name));
    for (const name of Reflect.ownKeys(CAT.agent)) found.push("CAT.agent." + String(name));
  }
  return found.sort();
})()`;
