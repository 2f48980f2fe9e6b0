import { VALUE_FUNCTIONS } from "@/gm/values/client";
import type { RuntimePart } from "../part";

export default { functions: VALUE_FUNCTIONS } satisfies RuntimePart;
