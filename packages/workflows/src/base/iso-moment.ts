/** Returns SQL that formats a timestamp as ISO 8601 in UTC, exact to the microsecond. */
export function isoMoment(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
