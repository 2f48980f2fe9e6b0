import type { RuntimePart } from "../part";

/** For `CAT.agent.opfs`. */
export default { areas: {} } satisfies RuntimePart;
