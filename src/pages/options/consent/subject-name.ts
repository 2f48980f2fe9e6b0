import { useT } from "@/locales/react";
import { untrustedText } from "../../shared/consent/untrusted-text";

/** The name of who asked, fit to be shown; in words when it is gone. */
export function useSubjectName(name: string): string {
  const t = useT();
  return name === "" ? t("consent.subjectGone") : untrustedText(name, 80) || t("consent.noName");
}
