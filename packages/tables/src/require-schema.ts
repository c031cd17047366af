import type { Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { isReservedSchema } from "./type-name.ts";

/** The one answer for a schema that does not exist and for one that is not the user's. */
export function schemaNotFound(cause?: unknown): Error {
  return createError("NOT_FOUND", { message: "No such schema", cause });
}

/** @throws AppError NOT_FOUND for a schema that does not exist or is not the user's */
export async function requireSchema(database: Queryable, schema: string): Promise<void> {
  if (isReservedSchema(schema) || schema.includes("\0")) throw schemaNotFound();
  const [row] = await database.query(
    "select 1 from pg_catalog.pg_namespace where nspname = $1::text",
    [schema],
  );
  if (row === undefined) throw schemaNotFound();
}
