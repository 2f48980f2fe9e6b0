import * as z from "zod/mini";

/** {@link ConsoleLine} of types.ts. */
export const consoleLine = z.object({
  at: z.number(),
  level: z.enum(["debug", "log", "info", "warn", "error"]),
  text: z.string(),
});
