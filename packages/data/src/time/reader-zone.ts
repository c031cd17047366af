import type { Queryable, Snapshot } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { isTimeZone, settingsOf, zonesWithoutAbbreviation } from "@rowhouse/settings";
import { timeZoneHeader } from "../parse/headers.ts";

const zonesSql = [...zonesWithoutAbbreviation]
  .map(([name, zone]) => `when '${name}' then '${zone}'`)
  .join(" ");

/** SQL for a time zone's name as PostgreSQL reads it, given SQL for its IANA name. */
export function postgresZoneSql(name: string): string {
  return `case pg_catalog.lower(${name}) ${zonesSql} else ${name} end`;
}

/**
 * Returns the time zone in which days begin for a reader: that of the account, else the setting `system.timezone`, else
 * the header `X-Service-Timezone`, else UTC.
 *
 * @throws AppError QUERY_INVALID for a header that is no IANA time zone name
 */
export async function readZone(
  database: Queryable,
  snapshot: Snapshot,
  userId: string,
  header: string | null,
): Promise<string> {
  if (header !== null && !isTimeZone(header)) {
    throw createError("QUERY_INVALID", {
      path: timeZoneHeader,
      message: "X-Service-Timezone must be an IANA time zone name, such as Europe/Oslo",
    });
  }
  const [row] = await database.query<{ zone: string | null }>(
    "select time_zone as zone from system.users where id = $1::text::uuid",
    [userId],
    { prepare: true },
  );
  return row?.zone ?? settingsOf(snapshot)["system.timezone"] ?? header ?? "UTC";
}
