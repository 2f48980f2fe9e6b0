import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useT } from "@/locales/react";
import { useToast } from "@/ui/Toast";
import type { ScriptSummary } from "@/userscripts/types";
import { useServices } from "../connect";
import { errorLine } from "../shared/describe-error";
import { clearDraft, type Draft, readDraft, stashDraft } from "../shared/draft";
import { readStart, type Start } from "./start";

export type Tab = "paste" | "file" | "url";

export type Step =
  | { name: "choose"; tab: Tab }
  | { name: "review"; draft: Draft }
  | { name: "done"; script: ScriptSummary; updated: boolean };

export interface InstallFlow {
  step: Step;
  /** What is in the paste field. */
  code: string;
  setCode(code: string): void;
  /** What is in the address field. */
  url: string;
  setUrl(url: string): void;
  /** Code is on its way from somewhere. */
  fetching: boolean;
  /** Why the code could not be had. */
  failure: { title: string; error: Error } | null;
  chooseTab(tab: Tab): void;
  fetchUrl(url: string): Promise<void>;
  review(draft: Draft): void;
  /** Back from the review, with the code in the paste field. */
  edit(draft: Draft): void;
  done(script: ScriptSummary, updated: boolean): void;
  startOver(): void;
}

/** The steps of the install page. What is typed is kept for the tab, so that a reload loses nothing. */
export function useInstallFlow(): InstallFlow {
  const t = useT();
  const { scripts } = useServices();
  const toast = useToast();
  const [start] = useState<Start>(() => readStart(window.location.hash));
  const [step, setStep] = useState<Step>(() => firstStep(start));
  const [code, setCodeState] = useState(() => readDraft()?.code ?? "");
  const [url, setUrl] = useState(start.kind === "url" ? start.url : "");
  const [fetching, setFetching] = useState(false);
  const [failure, setFailure] = useState<InstallFlow["failure"]>(null);

  const warned = useRef(false);
  const keep = useCallback(
    (draft: Draft) => {
      try {
        if (draft.code === "") clearDraft();
        else stashDraft(draft);
        warned.current = false;
      } catch (error) {
        // Said once, not at every key that is pressed from then on.
        if (warned.current) return;
        warned.current = true;
        const cause = error instanceof Error ? error : new Error(String(error));
        toast({ tone: "danger", text: errorLine(t, t("install.notKept"), cause) });
      }
    },
    [t, toast],
  );
  const setCode = useCallback(
    (next: string) => {
      setCodeState(next);
      keep({ code: next });
    },
    [keep],
  );
  const review = useCallback(
    (draft: Draft) => {
      keep(draft);
      setCodeState(draft.code);
      setFailure(null);
      setStep({ name: "review", draft });
      // The address then leads back to this review, also after a reload.
      window.history.pushState(null, "", "#draft");
    },
    [keep],
  );
  const load = useCallback(async (title: string, get: () => Promise<Draft>, then: (draft: Draft) => void) => {
    setFetching(true);
    setFailure(null);
    try {
      then(await get());
    } catch (error) {
      setFailure({ title, error: error instanceof Error ? error : new Error(String(error)) });
    } finally {
      setFetching(false);
    }
  }, []);
  const fetchUrl = useCallback(
    (address: string) =>
      load(
        t("install.failed.url"),
        async () => {
          const found = await scripts.call("fetchSource", { url: address });
          return { code: found.code, from: { kind: "url", name: found.url } };
        },
        review,
      ),
    [load, scripts, review, t],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the address that the page was opened with.
  useEffect(() => {
    if (start.kind === "url") void fetchUrl(start.url);
    if (start.kind !== "script") return;
    void load(
      t("install.failed.script"),
      async () => {
        const stored = await scripts.call("get", { uuid: start.uuid });
        return { code: stored.code };
      },
      (draft) => {
        setCode(draft.code);
        // From here on a reload must bring back what was typed, not what is stored.
        window.history.replaceState(null, "", "#paste");
      },
    );
  }, []);

  // Back and forward move between the steps.
  useEffect(() => {
    const onPop = (): void => setStep(firstStep(readStart(window.location.hash)));
    window.addEventListener("popstate", onPop);
    return () => window.removeEventListener("popstate", onPop);
  }, []);

  return useMemo(
    () => ({
      step,
      code,
      setCode,
      url,
      setUrl,
      fetching,
      failure,
      chooseTab: (tab) => {
        setFailure(null);
        setStep({ name: "choose", tab });
        window.history.replaceState(null, "", `#${tab}`);
      },
      fetchUrl,
      review,
      edit: (draft) => {
        setCodeState(draft.code);
        setStep({ name: "choose", tab: "paste" });
        window.history.pushState(null, "", "#paste");
      },
      done: (script, updated) => {
        clearDraft();
        setCodeState("");
        setStep({ name: "done", script, updated });
        window.history.replaceState(null, "", "#paste");
      },
      startOver: () => {
        setFailure(null);
        setStep({ name: "choose", tab: "paste" });
      },
    }),
    [step, code, setCode, url, fetching, failure, fetchUrl, review],
  );
}

function firstStep(start: Start): Step {
  if (start.kind === "draft") {
    const draft = readDraft();
    return draft ? { name: "review", draft } : { name: "choose", tab: "paste" };
  }
  if (start.kind === "choose") return { name: "choose", tab: start.tab };
  return { name: "choose", tab: start.kind === "url" ? "url" : "paste" };
}
