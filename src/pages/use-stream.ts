import { useCallback, useEffect, useState } from "react";
import type { Client, Contract, InputOf, OutputOf, StreamOptions } from "@/rpc/contract";

type StreamNames<C extends Contract> = {
  [K in keyof C["methods"]]: C["methods"][K] extends { kind: "stream" } ? K : never;
}[keyof C["methods"]] &
  string;

/** The latest item of a stream, and how many have come. */
export interface Feed<T> {
  item: T | undefined;
  count: number;
  error: Error | null;
  retry(): void;
}

/**
 * Follows a stream while the page is in sight. It is opened again after a worker death; out of sight it is closed, so that a
 * forgotten tab does not keep the worker awake. The input must say everything: a reopened stream starts with it again.
 */
export function useStream<C extends Contract, M extends StreamNames<C>>(
  client: Client<C>,
  method: M,
  input: InputOf<C["methods"][M]>,
): Feed<OutputOf<C["methods"][M]>> {
  type T = OutputOf<C["methods"][M]>;
  const [feed, setFeed] = useState<{ item?: T; count: number; error: Error | null }>({
    count: 0,
    error: null,
  });
  const [attempt, setAttempt] = useState(0);
  const visible = useVisible();
  const key = JSON.stringify(input);

  // biome-ignore lint/correctness/useExhaustiveDependencies: attempt is a reason to open it again, not an input.
  useEffect(() => {
    if (!visible) return;
    const abort = new AbortController();
    const value = JSON.parse(key) as unknown;
    const open = client.stream as unknown as (
      method: string,
      input: unknown,
      options: StreamOptions<unknown, T>,
    ) => AsyncIterable<T>;
    const follow = async (): Promise<void> => {
      for await (const item of open(method, value, { signal: abort.signal, resume: () => value })) {
        setFeed((old) => ({ item, count: old.count + 1, error: null }));
      }
    };
    follow().catch((error: Error) => {
      // Our own abort is the end of the interest, not a fault.
      if (!abort.signal.aborted) setFeed((old) => ({ ...old, error }));
    });
    return () => abort.abort();
  }, [client, method, key, visible, attempt]);

  const retry = useCallback(() => setAttempt((n) => n + 1), []);
  return { item: feed.item, count: feed.count, error: feed.error, retry };
}

/** Until a stream of changes that failed is opened again. */
const RETRY_MS = 5_000;

/**
 * A number that changes whenever the service's `changes` stream says that something did. What it gives is a reason to ask
 * again: each item counts, also the first one after a reconnect, since what happened in between is not known.
 */
export function useChanges<C extends Contract>(client: Client<C>): number {
  const { count, error, retry } = useStream(
    client,
    "changes" as StreamNames<C>,
    {} as InputOf<C["methods"][StreamNames<C>]>,
  );
  useEffect(() => {
    if (!error) return;
    // The page still works, it only shows later what changes elsewhere; whoever looks for the cause finds it here.
    console.warn("Changes cannot be followed at the moment.", error);
    const timer = setTimeout(retry, RETRY_MS);
    return () => clearTimeout(timer);
  }, [error, retry]);
  // The first item only says that the stream is open; the call beside it was sent after it and saw that state.
  return Math.max(0, count - 1);
}

/** Whether the page is in sight. */
export function useVisible(): boolean {
  const [visible, setVisible] = useState(() => document.visibilityState !== "hidden");
  useEffect(() => {
    const update = (): void => setVisible(document.visibilityState !== "hidden");
    document.addEventListener("visibilitychange", update);
    return () => document.removeEventListener("visibilitychange", update);
  }, []);
  return visible;
}
