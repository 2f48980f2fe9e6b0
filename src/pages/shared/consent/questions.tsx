import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { ConsentAnswer, ConsentPrompt } from "@/consent/types";
import { useServices } from "../../connect";
import { useStream } from "../../use-stream";

/** Why a question went away without an answer from this page: it was answered or withdrawn, or nobody answered in time. */
export type Departure = "elsewhere" | "rests";

export interface Questions {
  /** False until the worker has said what is open. */
  known: boolean;
  /** Somebody waits for the answer; the one that was shown first stays first. */
  asking: readonly ConsentPrompt[];
  /** Nobody answered in time: the answer counts for the next time. */
  waiting: readonly ConsentPrompt[];
  error: Error | null;
  retry(): void;
  /** What became of a question that left by itself, for some seconds. */
  departure: Departure | null;
  /** Whether the last question that left was answered here. */
  answeredHere: boolean;
  /** Resolves also when the question is no longer open; then `departure` says so. Rejects when nothing came of it. */
  answer(prompt: ConsentPrompt, answer: ConsentAnswer): Promise<void>;
  /** Takes a resting question off the list. */
  dismiss(prompt: ConsentPrompt): Promise<void>;
  /** Says `never` to all that this subject asks now. */
  denyAll(prompt: ConsentPrompt): Promise<void>;
}

/** How long it is said that a question left, in ms. */
const SAID_MS = 8_000;
const NONE: readonly ConsentPrompt[] = [];

const QuestionsContext = createContext<Questions | null>(null);

/** The open questions of the page. */
export function useQuestions(): Questions {
  const questions = useContext(QuestionsContext);
  if (!questions)
    throw new Error("useQuestions() was called outside of <QuestionsProvider>. Wrap the page in it.");
  return questions;
}

/** The same thing asked again later is another question: what was meant for the first must not answer the second. */
export function questionKey(prompt: ConsentPrompt): string {
  return `${prompt.askedAt} ${prompt.id}`;
}

/** Follows the open questions, once for the whole page. */
export function QuestionsProvider({ children }: { children: ReactNode }) {
  const { consent } = useServices();
  const feed = useStream(consent, "prompts", {});
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const [answeredHere, setAnsweredHere] = useState(false);
  const [departure, depart] = useDeparture();
  const all = feed.item ?? NONE;

  /** Answers that are under way or were taken. */
  const mine = useRef(new Set<string>());

  // Questions that left without our doing. Before the next paint, as what is said of one takes its place.
  const before = useRef<readonly ConsentPrompt[]>(NONE);
  useLayoutEffect(() => {
    const now = new Map(all.map((prompt) => [questionKey(prompt), prompt]));
    const asked = before.current.filter(({ state }) => state === "asking");
    before.current = all;
    for (const key of asked.map(questionKey)) {
      if (mine.current.has(key) || now.get(key)?.state === "asking") continue;
      setAnsweredHere(false);
      depart(now.has(key) ? "rests" : "elsewhere");
    }
    for (const key of mine.current) if (!now.has(key)) mine.current.delete(key);
    setTaken((keys) => {
      const kept = [...keys].filter((key) => now.has(key));
      return kept.length === keys.size ? keys : new Set(kept);
    });
  }, [all, depart]);

  const settle = useCallback(
    async (keys: string[], call: () => Promise<void>) => {
      for (const key of keys) mine.current.add(key);
      setAnsweredHere(true);
      try {
        await call();
      } catch (error) {
        setAnsweredHere(false);
        if (!(error instanceof Error) || error.name !== "NotFoundError") {
          for (const key of keys) mine.current.delete(key);
          throw error;
        }
        // It was open a moment ago: somebody else was faster, which is no fault.
        depart("elsewhere");
      }
      // Gone from here at once; the worker says the same in a moment.
      setTaken((old) => new Set([...old, ...keys]));
    },
    [depart],
  );

  const value = useMemo((): Questions => {
    const open = all.filter((prompt) => !taken.has(questionKey(prompt)));
    return {
      known: feed.item !== undefined,
      asking: open.filter(({ state }) => state === "asking"),
      waiting: open.filter(({ state }) => state === "waiting"),
      error: feed.error,
      retry: feed.retry,
      departure,
      answeredHere,
      answer: (prompt, answer) =>
        settle([questionKey(prompt)], () =>
          consent.call("answer", { id: prompt.id, askedAt: prompt.askedAt, answer }),
        ),
      dismiss: (prompt) => settle([questionKey(prompt)], () => consent.call("dismiss", { id: prompt.id })),
      denyAll: (prompt) => {
        const same = open.filter(({ subject }) => subject === prompt.subject);
        return settle(same.map(questionKey), () => consent.call("denyAll", { subject: prompt.subject }));
      },
    };
  }, [all, taken, feed.item, feed.error, feed.retry, departure, answeredHere, settle, consent]);
  return <QuestionsContext value={value}>{children}</QuestionsContext>;
}

/** What is said about the last question that left, until it has been read. */
function useDeparture(): [Departure | null, (departure: Departure) => void] {
  const [said, setSaid] = useState<{ departure: Departure } | null>(null);
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return [said?.departure ?? null, useCallback((departure) => setSaid({ departure }), [])];
}
