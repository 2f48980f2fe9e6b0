import { Suspense } from "react";
import { Redirect, Route, Router, Switch, useLocation } from "wouter";
import { useHashLocation } from "wouter/use-hash-location";
import { useT } from "@/locales/react";
import { ToastProvider } from "@/ui/Toast";
import { Calm } from "../shared/Calm";
import { ConsentCards } from "../shared/ConsentCards";
import { QuestionsProvider } from "../shared/consent/questions";
import { ErrorBoundary } from "../shared/ErrorBoundary";
import { PausedBanner } from "../shared/PausedBanner";
import { UserScriptsBanner } from "../shared/UserScriptsBanner";
import { OptionsPalette } from "./OptionsPalette";
import { PageSkeleton } from "./PageSkeleton";
import { Rail } from "./Rail";
import { HOME, ROUTES } from "./routes";
import { useScrollMemory } from "./use-scroll-memory";

/** The options page: a rail on the left, one place at a time beside it, addresses after the `#`. */
export function OptionsApp() {
  return (
    <ToastProvider>
      <Router hook={useHashLocation}>
        <QuestionsProvider>
          <Frame />
        </QuestionsProvider>
      </Router>
    </ToastProvider>
  );
}

function Frame() {
  const t = useT();
  const [location] = useLocation();
  useScrollMemory(location.split("/").slice(0, 3).join("/"));
  return (
    <OptionsPalette>
      <button
        type="button"
        onClick={() => document.getElementById("main")?.focus()}
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-ui focus:bg-raised focus:px-3 focus:py-2 focus:shadow-float"
      >
        {t("nav.skip")}
      </button>
      <ConsentCards />
      <div className="flex min-h-dvh flex-col md:flex-row">
        <Rail />
        <main id="main" tabIndex={-1} className="min-w-0 grow px-4 py-5 sm:px-8 sm:py-6">
          <Calm className="mx-auto flex max-w-5xl flex-col gap-5">
            <UserScriptsBanner />
            <PausedBanner />
            <ErrorBoundary resetKey={location}>
              <Suspense fallback={<PageSkeleton />}>
                <Switch>
                  {ROUTES.map(({ path, component }) => (
                    <Route key={path} path={`${path}/*?`} component={component} />
                  ))}
                  <Route>
                    <Redirect to={HOME} replace />
                  </Route>
                </Switch>
              </Suspense>
            </ErrorBoundary>
          </Calm>
        </main>
      </div>
    </OptionsPalette>
  );
}
