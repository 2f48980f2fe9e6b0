import { addStyle } from "@/gm/style/client";
import type { RuntimePart } from "../part";

export default { functions: [addStyle] } satisfies RuntimePart;
