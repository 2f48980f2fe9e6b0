import { config } from "zod/mini";

// Imported first by each bundle that checks with zod: it would try `new Function` on its first parse, which our CSP refuses and the
// browser logs as a violation at every start.
config({ jitless: true });
