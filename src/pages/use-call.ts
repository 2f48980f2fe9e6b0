import { useCallback, useEffect, useRef, useState } from "react";
import type { CallOptions, Client, Contract, InputOf, OutputOf } from "@/rpc/contract";
import { NamedError } from "@/rpc/errors";

/** What a call has come to. While it is repeated, the data of the time before stays. */
export interface Resource<T> {
  data: T | undefined;
  error: Error | null;
  /** True until the first answer, and again while a retry after an error is under way. */
  loading: boolean;
  reload(): void;
  /** Changes what is shown before the worker has confirmed it; the next answer overrides it. */
  patch(update: (data: T) => T): void;
}

type CallNames<C extends Contract> = {
  [K in keyof C["methods"]]: C["methods"][K] extends { kind: "call" } ? K : never;
}[keyof C["methods"]] &
  string;

/** How long a page waits for an answer before it says that something is wrong. */
const PATIENCE_MS = 15_000;

/**
 * The answer to a call that only reads; it is made again when the input or `refresh` changes. An answer that was overtaken by
 * a later call is dropped.
 */
export function useCall<C extends Contract, M extends CallNames<C>>(
  client: Client<C>,
  method: M,
  input: InputOf<C["methods"][M]>,
  refresh: unknown = null,
): Resource<OutputOf<C["methods"][M]>> {
  type T = OutputOf<C["methods"][M]>;
  const [state, setState] = useState<{ key: string; data?: T; error: Error | null; loading: boolean }>({
    key: "",
    error: null,
    loading: true,
  });
  const [attempt, setAttempt] = useState(0);
  const key = JSON.stringify(input);
  const latest = useRef(input);
  latest.current = input;

  // biome-ignore lint/correctness/useExhaustiveDependencies: refresh and attempt are reasons to ask again, not inputs.
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(new NamedError("TimeoutError", TIMEOUT)), PATIENCE_MS);
    let current = true;
    setState((old) => ({
      ...old,
      key,
      data: old.key === key ? old.data : undefined,
      loading: old.key !== key || old.loading || old.error !== null,
    }));
    const call = client.call as unknown as (
      method: string,
      input: unknown,
      options: CallOptions,
    ) => Promise<T>;
    call(method, latest.current, { signal: abort.signal, repeatable: true })
      .then(
        (data) => current && setState({ key, data, error: null, loading: false }),
        (error: Error) => current && setState((old) => ({ ...old, error, loading: false })),
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
  const patch = useCallback(
    (update: (data: T) => T) =>
      setState((old) => (old.data === undefined ? old : { ...old, data: update(old.data) })),
    [],
  );
  const stale = state.key !== key;
  return {
    data: stale ? undefined : state.data,
    error: stale ? null : state.error,
    loading: stale || state.loading,
    reload,
    patch,
  };
}

const TIMEOUT = "The extension did not answer within 15 seconds.";
