import { log } from "@/gm/log/client";
import type { GmFunction } from "@/gm/types";
import type { Grant } from "@/sandbox/guest/runtime";
import { grantable, grantedValues } from "../userscript/granted-values";
import type { RuntimePart } from "../userscript/part";
import agent from "../userscript/parts/agent";
import files from "../userscript/parts/files";
import values from "../userscript/parts/values";
import xmlhttp from "../userscript/parts/xmlhttp";

/** The parts that work without a page. Grants of the others are refused when a background script is installed (`needsPage`). */
const PARTS: readonly RuntimePart[] = [values, xmlhttp, agent, files];

const functions: GmFunction[] = [log, ...PARTS.flatMap((part) => part.functions ?? [])];
const ALL = grantable(functions, Object.assign({}, ...PARTS.map((part) => part.areas)));

export const grant: Grant = (names, info, session) =>
  grantedValues(
    { uuid: info.uuid, names: [...names], info, at: "registered", snapshot: null, revision: -1, source: "" },
    session,
    ALL,
  );
