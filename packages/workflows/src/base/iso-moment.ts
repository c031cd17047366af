import { type Column, type SQL, sql } from "drizzle-orm";

const form = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;

/** Returns SQL that formats a timestamp as ISO 8601 in UTC, exact to the microsecond. */
export function isoMoment(column: string): string {
  return `to_char(${column} at time zone 'UTC', ${form})`;
}

/** Returns `isoMoment` of a column in a statement of Drizzle. */
export function isoMomentOf(column: Column): SQL<string> {
  return sql`to_char(${column} at time zone 'UTC', ${sql.raw(form)})`;
}
