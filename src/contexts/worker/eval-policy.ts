import type { ConsentPolicy } from "@/consent/service";
import type { SessionStorage } from "@/platform/session-storage";

/** What answers in place of the person in tests. It outlives the worker, and ends with the browser. */
export interface EvalPolicy {
  confirm: ConsentPolicy;
  /** A fixed answer to what a run asks the person. */
  askUser?: string;
}

const KEY = "eval.policy";

export async function readEvalPolicy(session: SessionStorage): Promise<EvalPolicy> {
  return (await session.get<EvalPolicy>(KEY)) ?? { confirm: "ask" };
}

export async function setEvalPolicy(session: SessionStorage, policy: EvalPolicy): Promise<void> {
  await session.set(KEY, policy);
}
