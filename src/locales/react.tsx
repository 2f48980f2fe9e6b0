import { createContext, type ReactNode, useContext } from "react";
import type { Translate } from "./translate";

const TranslateContext = createContext<Translate | null>(null);

/** Gives the tree below its language. */
export function LocaleProvider({ translate, children }: { translate: Translate; children: ReactNode }) {
  return <TranslateContext value={translate}>{children}</TranslateContext>;
}

/** The translator of the tree. Throws outside of a LocaleProvider: a page without words is a mistake in the page. */
export function useT(): Translate {
  const t = useContext(TranslateContext);
  if (!t) throw new Error("useT() was called outside of <LocaleProvider>. Wrap the page in it.");
  return t;
}
