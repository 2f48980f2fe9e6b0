import type { StoredMessage } from "../context/messages";
import type { Clock } from "../run/clock";
import type { RunSpec } from "../run/events";
import type { Model } from "./send-call";

/** What the loop needs of the outside. */
export interface LoopEnv {
  clock: Clock;
  /** 0 ≤ n < 1, for jitter. */
  random(): number;
  newId(): string;
  /** The model of an id ("" or undefined: the default); rejects with code "no_model" or "auth". */
  resolveModel(id: string | undefined): Promise<Model>;
  /** Messages of the run's conversation from before the run. */
  history(spec: RunSpec): Promise<StoredMessage[]>;
  /** Keeps the worker alive until the returned function is called. */
  hold(reason: string): () => void;
}
