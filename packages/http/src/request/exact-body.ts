import { z } from "@hono/zod-openapi";
import { keepDigits, roundNumbers } from "@rowhouse/wire";

const exactBodies = new WeakSet<object>();

/**
 * Declares the schema of a body whose validator receives numbers as `parseExactJson` reads them. The validator of every
 * other body receives doubles.
 */
export function exactBody<Schema extends z.ZodType>(schema: Schema): Schema {
  exactBodies.add(schema);
  return schema;
}

/** Whether a schema was declared by `exactBody`. */
export function isExactBody(schema: object): boolean {
  return exactBodies.has(schema);
}

/** An object in an exact body; a number that a double cannot represent becomes text. */
export const exactObject = z
  .record(z.string(), z.unknown())
  .transform((value) => mapValues(value, keepDigits));

/** An object in an exact body, with doubles. */
export const roundedObject = z
  .record(z.string(), z.unknown())
  .transform((value) => mapValues(value, roundNumbers));

function mapValues(value: Readonly<Record<string, unknown>>, map: (item: unknown) => unknown) {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, map(item)]));
}
