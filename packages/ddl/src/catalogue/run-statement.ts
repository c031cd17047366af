import type { Transaction } from "@rowhouse/db";

/** Names are qualified, and the bodies of functions may name what is created later. */
const enterSql = `select pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true),
  pg_catalog.set_config('check_function_bodies', 'off', true)`;

/** Runs a statement of the catalogue as the service's login, where every name is qualified. */
export async function runCatalogueStatement(transaction: Transaction, sql: string): Promise<void> {
  const [before] = await transaction.query<{ path: string; bodies: string }>(
    "select pg_catalog.current_setting('search_path') as path, pg_catalog.current_setting('check_function_bodies') as bodies",
  );
  await transaction.query(enterSql);
  await transaction.asService.query(sql);
  await transaction.query(
    "select pg_catalog.set_config('search_path', $1::text, true), pg_catalog.set_config('check_function_bodies', $2::text, true)",
    [before?.path ?? "", before?.bodies ?? "on"],
  );
}
