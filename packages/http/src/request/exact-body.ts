import type { z } from "@hono/zod-openapi";

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
