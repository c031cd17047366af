import type { Queryable } from "@rowhouse/db";

export async function countWaitingMails(database: Queryable): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    "select pg_catalog.count(*)::integer as count from system.mails",
    [],
    { prepare: true },
  );
  return row?.count ?? 0;
}
