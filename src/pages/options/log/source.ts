import type { Translate } from "@/locales";

/** Where an entry comes from: words, and the place that has more about it. */
export interface SourceWords {
  text: string;
  link?: { href: string; label: string };
}

/**
 * @param source as in LogRow: `worker`, `page:options`, `script:<uuid>`, …
 * @param scripts names of the installed scripts by uuid; undefined while they are not known
 */
export function describeSource(
  t: Translate,
  source: string,
  scripts: ReadonlyMap<string, string> | undefined,
): SourceWords {
  const colon = source.indexOf(":");
  const kind = colon < 0 ? source : source.slice(0, colon);
  const id = colon < 0 ? "" : source.slice(colon + 1);
  switch (kind) {
    case "worker":
      return { text: t("logPage.source.worker") };
    case "offscreen":
      return { text: t("logPage.source.offscreen") };
    case "sandbox":
      return { text: t("logPage.source.sandbox") };
    case "page":
      return { text: t("logPage.source.page", { page: id }) };
    case "script": {
      const name = scripts?.get(id);
      if (name === undefined) return { text: t("logPage.source.scriptGone") };
      return {
        text: t("logPage.source.script", { name }),
        link: { href: `/scripts/${id}/log`, label: t("logPage.openScript") },
      };
    }
    case "model":
      return {
        text: t("logPage.source.model"),
        link: { href: id ? `/models/${id}` : "/models", label: t("logPage.openModel") },
      };
    case "run":
      return { text: t("logPage.source.run") };
    default:
      // A newer worker may know more places than this page.
      return { text: source };
  }
}
