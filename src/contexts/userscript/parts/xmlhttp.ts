import { xmlhttpRequest } from "@/gm/xmlhttp/client";
import type { RuntimePart } from "../part";

export default { functions: [xmlhttpRequest] } satisfies RuntimePart;
