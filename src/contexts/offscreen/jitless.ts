import { config } from "zod/mini";

// Imported first by each bundle of the worker: zod would try `new Function` on its first parse, which our CSP refuses and the
// browser logs as a violation at every start.
config({ jitless: true });
