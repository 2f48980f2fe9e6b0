// The first script of every page: records what was there before it ran. A document-start script that marks
// document.documentElement.dataset, which both worlds see, shows in __first if it came first.
window.__first = {
  t: performance.now(),
  marks: { ...window.__marks },
  dataset: { ...document.documentElement.dataset },
};
for (const [event, name] of [
  ["DOMContentLoaded", "__ready"],
  ["load", "__loaded"],
]) {
  window.addEventListener(event, () => {
    window[name] = {
      t: performance.now(),
      marks: { ...window.__marks },
      dataset: { ...document.documentElement.dataset },
    };
  });
}
