import { opfsApi } from "@/agent/api/opfs";
import type { RuntimePart } from "../part";

/** For `CAT.agent.opfs`. */
export default { areas: { opfs: opfsApi } } satisfies RuntimePart;
