import { useCallback, useEffect, useRef, useState } from "react";
import type { ModelInput, ModelTest } from "@/agent/contract/models";
import { useServices } from "../../connect";

export interface ModelTestState {
  running: boolean;
  result: ModelTest | null;
  /** The call to the worker itself failed. */
  error: Error | null;
  run(input: ModelInput): void;
  cancel(): void;
}

/** One test call at a time; leaving the view ends it. */
export function useModelTest(): ModelTestState {
  const { models } = useServices();
  const [state, setState] = useState<Omit<ModelTestState, "run" | "cancel">>(IDLE);
  const abort = useRef<AbortController | null>(null);
  const cancel = useCallback(() => {
    abort.current?.abort();
    abort.current = null;
    setState(IDLE);
  }, []);
  const run = useCallback(
    (input: ModelInput) => {
      abort.current?.abort();
      const mine = new AbortController();
      abort.current = mine;
      setState({ running: true, result: null, error: null });
      models.call("test", input, { signal: mine.signal }).then(
        (result) => !mine.signal.aborted && setState({ running: false, result, error: null }),
        (error: Error) => !mine.signal.aborted && setState({ running: false, result: null, error }),
      );
    },
    [models],
  );
  useEffect(() => () => abort.current?.abort(), []);
  return { ...state, run, cancel };
}

const IDLE = { running: false, result: null, error: null };
