import "../jitless";

import { migrate } from "@/migrations/run";
import { opfsSteps } from "@/platform/opfs-steps";
import type { MigrationsModule } from "./migrations-host";

/* The steps between forms of the stored data: loaded by core.js only when some are due, which is once after an update. */
globalThis.moggyMigrations = {
  migrate: (stores, stored, options) => migrate({ ...stores, files: opfsSteps }, stored, options),
} satisfies MigrationsModule;
