import { useEffect, useLayoutEffect, useRef } from "react";

/**
 * A new place starts at its top; back and forward find the place as it was left.
 * @param place names the place; moves within it (such as another tab) do not scroll
 */
export function useScrollMemory(place: string): void {
  const positions = useRef(new Map<string, number>());
  const traversed = useRef(true);

  useEffect(() => {
    window.history.scrollRestoration = "manual";
    const onNavigate = (event: NavigateEvent): void => {
      traversed.current = event.navigationType === "traverse" || event.navigationType === "reload";
    };
    // Only old browsers and test environments lack it; there every place starts at its top.
    window.navigation?.addEventListener("navigate", onNavigate);
    return () => window.navigation?.removeEventListener("navigate", onNavigate);
  }, []);

  useEffect(() => {
    const keep = (): void => void positions.current.set(place, window.scrollY);
    window.addEventListener("scroll", keep, { passive: true });
    return () => window.removeEventListener("scroll", keep);
  }, [place]);

  useLayoutEffect(() => {
    const top = traversed.current ? (positions.current.get(place) ?? 0) : 0;
    traversed.current = false;
    if (window.scrollY !== top) window.scrollTo(0, top);
  }, [place]);
}
