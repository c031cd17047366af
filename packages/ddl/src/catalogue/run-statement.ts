import type { Transaction } from "@rowhouse/db";
import { attempt } from "../base/attempt.ts";

/** Names are qualified, and the bodies of functions may name what is created later. */
const enterSql = `with before as materialized (
  select pg_catalog.current_setting('search_path') as path, pg_catalog.current_setting('check_function_bodies') as bodies)
select path, bodies, pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', path is not null),
  pg_catalog.set_config('check_function_bodies', 'off', bodies is not null) from before`;

/** Runs a statement of the catalogue as the service's login, where every name is qualified. */
export async function runCatalogueStatement(transaction: Transaction, sql: string): Promise<void> {
  const [before] = await transaction.query<{ path: string; bodies: string }>(enterSql);
  await transaction.asService.query(sql);
  await transaction.query(
    "select pg_catalog.set_config('search_path', $1::text, true), pg_catalog.set_config('check_function_bodies', $2::text, true)",
    [before?.path ?? "", before?.bodies ?? "on"],
  );
}

/** Runs those of several statements that PostgreSQL accepts, in turns until one helps none of them. */
export async function runCatalogueStatements(
  transaction: Transaction,
  statements: readonly string[],
): Promise<void> {
  for (let waiting = statements; ; ) {
    const failed: string[] = [];
    for (const sql of waiting) {
      const failure = await attempt(transaction, () => runCatalogueStatement(transaction, sql));
      if (failure !== undefined) failed.push(sql);
    }
    if (failed.length === 0 || failed.length === waiting.length) return;
    waiting = failed;
  }
}
