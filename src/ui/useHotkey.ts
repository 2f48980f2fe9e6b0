import { useEffect, useRef } from "react";
import { isMac } from "./Kbd";

/**
 * Runs `action` on a key anywhere in the page. `"mod+k"` needs Ctrl, or ⌘ on a Mac; a single character is left alone while
 * something is typed into.
 */
export function useHotkey(key: string, action: () => void): void {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => {
    const withMod = key.startsWith("mod+");
    const letter = withMod ? key.slice(4) : key;
    const onKey = (event: KeyboardEvent): void => {
      if (event.isComposing || event.altKey || event.key.toLowerCase() !== letter) return;
      const mod = isMac() ? event.metaKey : event.ctrlKey;
      const other = isMac() ? event.ctrlKey : event.metaKey;
      if (mod !== withMod || other || (!withMod && isTyping(event.target))) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [key]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}
