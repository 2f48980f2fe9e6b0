import { useEffect } from "react";
import { useT } from "@/locales/react";

/** Names the document after what it shows. */
export function useTitle(title: string): void {
  const t = useT();
  useEffect(() => {
    document.title = `${title} · ${t("product.name")}`;
  }, [title, t]);
}
