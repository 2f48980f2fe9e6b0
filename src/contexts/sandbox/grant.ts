import { conversationApi } from "@/agent/api/conversation";
import { modelApi } from "@/agent/api/model";
import { log } from "@/gm/log/client";
import { VALUE_FUNCTIONS } from "@/gm/values/client";
import { xmlhttpRequest } from "@/gm/xmlhttp/client";
import type { Grant } from "@/sandbox/guest/runtime";
import { grantable, grantedValues } from "../userscript/granted-values";

/** What works without a page. Grants of everything else are refused when a background script is installed. */
const ALL = grantable([log, ...VALUE_FUNCTIONS, xmlhttpRequest], {
  conversation: conversationApi,
  model: modelApi,
});

export const grant: Grant = (names, info, session) =>
  grantedValues(
    { uuid: info.uuid, names: [...names], info, at: "registered", snapshot: null, revision: -1, source: "" },
    session,
    ALL,
  );
