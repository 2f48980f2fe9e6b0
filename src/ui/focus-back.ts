import { useRef } from "react";

/** What had the focus last, whether it is still there or not. */
let last: Element | null = null;
document.addEventListener("focusin", ({ target }) => {
  if (target instanceof Element) last = target;
});

/**
 * Gives the focus back to where a window over the page was opened from. (radix-ui knows that place only when it is a trigger inside of
 * the dialog's own root; without one the focus would be lost, and the next Tab begin at the top of the page.)
 */
export function useFocusBack(): { onOpenAutoFocus(): void; onCloseAutoFocus(event: Event): void } {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus() {
      opener.current = openerOf(last);
    },
    onCloseAutoFocus(event) {
      event.preventDefault();
      if (opener.current instanceof HTMLElement) opener.current.focus();
    },
  };
}

/** An entry of a menu is gone when it has been chosen, so it stands for the button of its menu. */
function openerOf(element: Element | null): Element | null {
  const button = element?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  return button ? document.getElementById(button) : element;
}
