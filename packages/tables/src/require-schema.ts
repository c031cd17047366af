import type { Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { isReservedSchema } from "./type-name.ts";

/** The one answer for a schema that does not exist and for one that is not the user's. */
export function schemaNotFound(cause?: unknown): Error {
  return createError("NOT_FOUND", { message: "No such schema", cause });
}

/** Whether there is a schema of this name for the user's tables. */
export async function schemaExists(database: Queryable, schema: string): Promise<boolean> {
  if (isReservedSchema(schema) || schema.includes("\0")) return false;
  const [row] = await database.query(
    "select 1 from pg_catalog.pg_namespace where nspname = $1::text",
    [schema],
  );
  return row !== undefined;
}

/** @throws AppError NOT_FOUND for a schema that does not exist or is not the user's */
export async function requireSchema(database: Queryable, schema: string): Promise<void> {
  if (!(await schemaExists(database, schema))) throw schemaNotFound();
}
