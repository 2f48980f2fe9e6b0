/** Runs the callback as soon as the document has a body; at once when it has one. Documents without one get it when parsed. */
export function whenBody(callback: () => void): void {
  const isDue = () => document.body || document.readyState !== "loading";
  if (isDue()) {
    callback();
    return;
  }
  let waits = true;
  const look = () => {
    if (!waits || !isDue()) return;
    waits = false;
    observer.disconnect();
    callback();
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true });
  document.addEventListener("DOMContentLoaded", look);
}
