import { useCallback, useEffect, useRef, useState } from "react";
import type { CallOptions, Client, Contract, InputOf, OutputOf } from "@/rpc/contract";
import { NamedError } from "@/rpc/errors";
import { recall, remember } from "./recent-answers";

/** What a call has come to. While it is repeated, the data of the time before stays. */
export interface Resource<T> {
  data: T | undefined;
  error: Error | null;
  /** True until the first answer, and again while a retry after an error is under way. */
  loading: boolean;
  reload(): void;
}

type CallNames<C extends Contract> = {
  [K in keyof C["methods"]]: C["methods"][K] extends { kind: "call" } ? K : never;
}[keyof C["methods"]] &
  string;

interface State<T> {
  /** The input that the state is about. */
  key: string;
  data?: T;
  error: Error | null;
  /** Waiting, with nothing to show. */
  loading: boolean;
}

/** How long a page waits for an answer before it says that something is wrong. */
const PATIENCE_MS = 15_000;

/**
 * The answer to a call that only reads; it is made again when the input or `refresh` changes. An answer that was overtaken by
 * a later call is dropped. What the page has seen before is shown at once, until the new answer is there.
 */
export function useCall<C extends Contract, M extends CallNames<C>>(
  client: Client<C>,
  method: M,
  input: InputOf<C["methods"][M]>,
  refresh: unknown = null,
): Resource<OutputOf<C["methods"][M]>> {
  type T = OutputOf<C["methods"][M]>;
  const key = JSON.stringify(input);
  const begin = (): State<T> => {
    const data = recall<T>(client, method, key);
    return { key, data, error: null, loading: data === undefined };
  };
  const [state, setState] = useState<State<T>>(begin);
  const [attempt, setAttempt] = useState(0);
  const latest = useRef(input);
  latest.current = input;

  // biome-ignore lint/correctness/useExhaustiveDependencies: refresh and attempt are reasons to ask again, not inputs.
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(
      () => abort.abort(new NamedError("TimeoutError", "The extension did not answer in time.")),
      PATIENCE_MS,
    );
    let current = true;
    setState((old) => (old.key === key ? old : begin()));
    const call = client.call as unknown as (
      method: string,
      input: unknown,
      options: CallOptions,
    ) => Promise<T>;
    call(method, latest.current, { signal: abort.signal, repeatable: true })
      .then(
        (data) => {
          remember(client, method, key, data);
          if (current) setState({ key, data, error: null, loading: false });
        },
        (error: Error) => {
          if (current) setState((old) => ({ ...old, error, loading: false }));
        },
      )
      .finally(() => clearTimeout(timer));
    return () => {
      current = false;
      clearTimeout(timer);
      abort.abort();
    };
  }, [client, method, key, refresh, attempt]);

  const reload = useCallback(() => {
    setState((old) => ({ ...old, error: null, loading: old.data === undefined }));
    setAttempt((n) => n + 1);
  }, []);
  const shown = state.key === key ? state : begin();
  return { data: shown.data, error: shown.error, loading: shown.loading, reload };
}
