import { builtInType } from "@rowhouse/db";
import { type AppError, createError } from "@rowhouse/errors";
import type { StatementBuilder } from "./statement.ts";

/**
 * Returns SQL for the data of a read and its size in bytes. PostgreSQL returns null in place of data that exceeds the
 * current limit of the request, so such data never reaches this process.
 */
export function sizedSql(data: string, builder: StatementBuilder): string {
  const max = builder.place({ kind: "BYTES_MAX" }, builtInType("bigint"));
  const size = `pg_catalog.octet_length(${data})`;
  return `case when ${size} <= ${max} then ${data} end as data, ${size}::text as size`;
}

/**
 * SQLSTATE of a write whose data is too large. `width_bucket` with zero buckets raises it; no other part of a compiled
 * statement calls that function.
 */
export const tooLargeState = "2201G";

/** Returns SQL for the data of a write. If the data is too large, an error undoes the statement. */
export function boundedSql(data: string, builder: StatementBuilder): string {
  return `(select case ${boundCase("a.data", builder)} else a.data end from (select ${data} as data offset 0) a)`;
}

/** Returns the branch of a CASE expression that raises an error if the data of a write is too large. */
export function boundCase(data: string, builder: StatementBuilder): string {
  const max = builder.place({ kind: "BYTES_MAX" }, builtInType("bigint"));
  const size = `pg_catalog.octet_length(${data})`;
  // The number of buckets depends on the data, because the planner evaluates constants and would raise the error for
  // every write.
  return `when ${size} > ${max} then pg_catalog.width_bucket(1::float8, 1, 2, ${size} * 0)::text`;
}

/** Creates the error for a response that exceeds the limit. */
export function answerTooLarge(isWrite: boolean, cause?: unknown): AppError {
  const way = isWrite
    ? "send Prefer: return=minimal, or write fewer rows at once"
    : "ask for fewer rows or fields, or for an export (Accept: application/x-ndjson)";
  return createError("QUERY_INVALID", {
    message: `The answer exceeds data.max_response_bytes: ${way}`,
    ...(cause === undefined ? {} : { cause }),
  });
}
