import { buildCat } from "@/agent/api/cat";
import { KIT_FUNCTIONS } from "@/gm/clients";
import type { GmFunction, ScriptSession } from "@/gm/types";
import { VALUE_FUNCTIONS } from "@/gm/values/client";
import { xmlhttpRequest } from "@/gm/xmlhttp/client";

/** The GM functions of this build of the runtime; the constants are set by build/classic-worker.ts. */
export const FUNCTIONS: readonly GmFunction[] = [
  ...KIT_FUNCTIONS,
  ...(__PART_VALUES__ ? VALUE_FUNCTIONS : []),
  ...(__PART_XMLHTTP__ ? [xmlhttpRequest] : []),
];

/** Makes `CAT`, in builds that have it. */
export const makeCat: ((session: ScriptSession, grants: readonly string[]) => unknown) | null = __PART_AGENT__
  ? buildCat
  : null;
