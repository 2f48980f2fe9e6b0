// Runs in the demo page, from its start: tells the launcher the conversation whenever it changes. A file of its own, since a function that a
// TypeScript runner has compiled may lean on helpers that no page has.
{
  const tell = () => {
    const entries = [...document.querySelectorAll("[data-moggy-entry]")].map((entry) => ({
      who: entry.dataset.moggyEntry,
      text: entry.lastElementChild?.textContent ?? "",
    }));
    window.moggyReport({ entries, state: document.documentElement?.dataset.moggyDemo ?? null });
  };
  new MutationObserver(tell).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ["data-moggy-demo"],
  });
}
