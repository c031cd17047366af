import type { Transaction } from "@rowhouse/db";

/**
 * How long a statement waits for a table lock before the whole change fails. Other requests on the table queue behind
 * it meanwhile.
 */
export const lockTimeout = "3s";

const enterSql = `
with before as materialized (select pg_catalog.current_setting('search_path') as path)
select path, pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', path is not null) from before`;

/**
 * Runs statements of a transaction without a search path of its own: PostgreSQL then qualifies every name except those of
 * pg_catalog. The path of before is set again, because behind a pooler it may differ from the login's default.
 */
export async function withPlainPath<Result>(
  transaction: Transaction,
  work: () => Promise<Result>,
): Promise<Result> {
  const [before] = await transaction.query<{ path: string }>(enterSql, [], { prepare: true });
  const result = await work();
  const leaveSql = "select pg_catalog.set_config('search_path', $1::text, true)";
  await transaction.query(leaveSql, [before?.path ?? ""], { prepare: true });
  return result;
}
