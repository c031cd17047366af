import type { Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { isReservedSchema } from "./type-name.ts";

/** Returns the same error for a schema that does not exist and for one that is not a user schema. */
export function schemaNotFound(cause?: unknown): Error {
  return createError("NOT_FOUND", { message: "No such schema", cause });
}

/** Whether a user schema with this name exists. */
export async function schemaExists(database: Queryable, schema: string): Promise<boolean> {
  if (isReservedSchema(schema) || schema.includes("\0")) return false;
  const [row] = await database.query(
    "select 1 from pg_catalog.pg_namespace where nspname = $1::text",
    [schema],
    { prepare: true },
  );
  return row !== undefined;
}

/**
 * Requires a user schema with this name.
 *
 * @throws AppError NOT_FOUND for a schema that does not exist or is not a user schema
 */
export async function requireSchema(database: Queryable, schema: string): Promise<void> {
  if (!(await schemaExists(database, schema))) throw schemaNotFound();
}
