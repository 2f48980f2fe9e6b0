import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { createTranslate, loadCatalogue, pickLanguage } from "@/locales";
import { connectPage } from "@/platform/page-port";
import { createServices, ServicesProvider } from "../connect";
import { DataGuard } from "./DataGuard";
import { applyTheme, readPreferences } from "./preferences";
import { watchUncaught } from "./report-error";
import { SettingsProvider } from "./settings";

/** Starts a page: theme and language of the last time first, so that nothing flashes, then the tree. */
export async function mountPage(page: ReactNode): Promise<void> {
  const preferences = readPreferences();
  applyTheme(preferences.theme);
  const language = pickLanguage(preferences.language, navigator.languages);
  document.documentElement.lang = language;
  const translate = createTranslate(await loadCatalogue(language));
  const root = document.getElementById("root");
  if (!root) throw new Error('The page has no element with the id "root".');
  const services = createServices(connectPage);
  watchUncaught(services, () => translate("logPage.duringPage"));
  createRoot(root).render(
    <ServicesProvider services={services}>
      <SettingsProvider translate={translate}>
        <DataGuard>{page}</DataGuard>
      </SettingsProvider>
    </ServicesProvider>,
  );
}
