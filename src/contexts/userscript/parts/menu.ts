import { MENU_FUNCTIONS } from "@/gm/menu/client";
import type { RuntimePart } from "../part";

export default { functions: MENU_FUNCTIONS } satisfies RuntimePart;
