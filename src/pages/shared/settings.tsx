import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { createTranslate, loadCatalogue, pickLanguage, type Translate } from "@/locales";
import { LocaleProvider } from "@/locales/react";
import type { ProductStatus, Settings } from "@/settings/contract";
import { useServices } from "../connect";
import { type Resource, useCall } from "../use-call";
import { useStream, useVisible } from "../use-stream";
import { applyTheme, rememberPreferences } from "./preferences";

interface SettingsValue {
  /** Undefined until the worker has answered. */
  settings: Settings | undefined;
  /** Why the settings cannot be read. */
  error: Error | null;
  status: Resource<ProductStatus>;
  /** Changes settings at once in the page and then for good; rejects, and takes it back, when it could not be stored. */
  update(patch: Partial<Settings>): Promise<void>;
}

const SettingsContext = createContext<SettingsValue | null>(null);

/** The person's settings and the product's state. */
export function useSettings(): SettingsValue {
  const value = useContext(SettingsContext);
  if (!value) throw new Error("useSettings() was called outside of <SettingsProvider>. Wrap the page in it.");
  return value;
}

/** Keeps theme, language and settings of a page up to date, whoever changes them. */
export function SettingsProvider({ translate, children }: { translate: Translate; children: ReactNode }) {
  const services = useServices();
  const feed = useStream(services.settings, "changes", {});
  const [pending, setPending] = useState<Partial<Settings>>({});
  // What the worker answered to our own change holds until the stream says the next thing.
  const [answer, setAnswer] = useState<{ after: number; settings: Settings } | null>(null);
  const count = useRef(0);
  count.current = feed.count;
  const base = answer?.after === feed.count ? answer.settings : feed.item;
  const settings = useMemo(() => base && { ...base, ...pending }, [base, pending]);
  // The switch lies on another page: whoever comes back from there wants to see that it worked.
  const visible = useVisible();
  const status = useCall(services.settings, "status", {}, visible);

  const update = useCallback(
    async (patch: Partial<Settings>) => {
      const without = (old: Partial<Settings>) =>
        Object.fromEntries(Object.entries(old).filter(([key]) => !(key in patch)));
      setPending((old) => ({ ...old, ...patch }));
      try {
        const stored = await services.settings.call("set", patch);
        setAnswer({ after: count.current, settings: stored });
      } finally {
        setPending(without);
      }
    },
    [services.settings],
  );

  useEffect(() => {
    if (!settings) return;
    applyTheme(settings.theme);
    rememberPreferences({ theme: settings.theme, language: settings.language });
  }, [settings]);

  const value = useMemo(
    () => ({ settings, error: feed.error, status, update }),
    [settings, feed.error, status, update],
  );
  return (
    <SettingsContext value={value}>
      <Spoken initial={translate} settings={settings}>
        {children}
      </Spoken>
    </SettingsContext>
  );
}

/** Speaks the language of the settings; until its catalogue is read, the one before. */
function Spoken(props: { initial: Translate; settings: Settings | undefined; children: ReactNode }) {
  const { initial, settings, children } = props;
  const [translate, setTranslate] = useState<Translate>(() => initial);
  const wanted = settings ? pickLanguage(settings.language, navigator.languages) : translate.language;

  useEffect(() => {
    document.documentElement.lang = translate.language;
    if (wanted === translate.language) return;
    let current = true;
    loadCatalogue(wanted).then(
      (catalogue) => current && setTranslate(() => createTranslate(catalogue)),
      (error: unknown) =>
        console.error(`The words of "${wanted}" could not be read; the page stays as it is.`, error),
    );
    return () => {
      current = false;
    };
  }, [wanted, translate]);

  return <LocaleProvider translate={translate}>{children}</LocaleProvider>;
}
