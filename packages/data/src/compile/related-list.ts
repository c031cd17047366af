import type { RelatedRows } from "../authorize/projection.ts";
import type { ObjectSql } from "./object-sql.ts";
import type { Scope } from "./scope.ts";
import type { StatementBuilder } from "./statement.ts";

/** The query of a list in a row, without its bounds. */
export interface ListSource {
  /** Everything from FROM to ORDER BY. */
  readonly source: string;
  /** The same rows without their order, to search for a further one. */
  readonly counted: string;
}

/** Returns SQL for a list in a row, with a mark at its end if it has more rows than the response shows. */
export function listSql(
  { select, listValue }: ObjectSql,
  { source, counted }: ListSource,
  rows: RelatedRows,
  { relatedMax, builder }: Scope,
): string {
  const limit = rows.limit ?? relatedMax;
  const offset = offsetSql(rows, builder);
  const bounds = `${limit === null ? "" : ` limit ${limit}`}${offset}`;
  const list = `(select ${select} from ${source}${bounds}) r`;
  if (limit === null || rows.limit !== null) return `(select ${listValue} from ${list})`;
  // Searches for a further row only if the list reaches the limit.
  const further = offset === "" ? ` offset ${limit}` : `${offset} + ${limit}`;
  const isCut = `pg_catalog.count(*) = ${limit} and exists (select 1 from ${counted}${further})`;
  const cut = `(pg_catalog.left(${listValue}::text, -1) || ${builder.cutSql(rows.path)})::json`;
  return `(select case when ${isCut} then ${cut} else ${listValue} end from ${list})`;
}

/** Returns ` offset n`; empty without an offset. */
export function offsetSql({ hasOffset, path }: RelatedRows, builder: StatementBuilder): string {
  return hasOffset ? builder.offsetSql({ kind: "DEEP_OFFSET", path }) : "";
}
