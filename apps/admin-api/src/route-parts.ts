import { z } from "@hono/zod-openapi";

/** A timestamp, ISO 8601 in UTC. */
export const moment = z.string().openapi({ format: "date-time" });

/** A timestamp in a parameter of a list. */
export const givenMoment = z.iso
  .datetime({ offset: true, error: "Must be a timestamp, such as 2026-01-31T12:00:00Z" })
  // Postgres has no year 0.
  .refine((text) => !text.startsWith("0000"), "Must be a timestamp, such as 2026-01-31T12:00:00Z");

/** Several values in one parameter, separated by commas. */
export function listOf<Item extends z.ZodType<unknown, string>>(item: Item) {
  return z
    .string()
    .max(1000)
    .transform((text) => text.split(","))
    .pipe(z.array(item).max(50));
}
