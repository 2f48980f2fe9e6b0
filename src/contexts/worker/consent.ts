import "../jitless";

import { createConsent } from "@/consent";
import type { ConsentModule } from "./consent-host";

/*
 * consent.js: the questions, the decisions and the window that asks. Loaded when something has to be asked or was decided, or when one of
 * our pages shows that; a start of the worker has nothing to do for it.
 */
globalThis.moggyConsent = { create: createConsent } satisfies ConsentModule;
