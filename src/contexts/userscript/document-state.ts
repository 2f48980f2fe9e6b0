/** Runs the callback as soon as the document has a body; at once when it has one. Documents without one get it when parsed. */
export function whenBody(callback: () => void): void {
  if (document.body || document.readyState !== "loading") {
    callback();
    return;
  }
  const observer = new MutationObserver(() => {
    if (!document.body) return;
    observer.disconnect();
    callback();
  });
  observer.observe(document, { childList: true, subtree: true });
  document.addEventListener(
    "DOMContentLoaded",
    () => {
      observer.disconnect();
      if (!document.body) callback();
    },
    { once: true },
  );
}
