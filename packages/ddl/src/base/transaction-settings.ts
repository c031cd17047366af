import { quoteLiteral, type Transaction } from "@rowhouse/db";

/**
 * How long a statement waits for a table lock before the whole change fails. Other requests on the table queue behind
 * it meanwhile.
 */
export const lockTimeout = "3s";

/**
 * Runs statements of a transaction with settings, and then has those of before again: behind a pooler they may differ from
 * the login's defaults.
 */
export async function withSettings<Result>(
  transaction: Transaction,
  settings: Readonly<Record<string, string>>,
  work: () => Promise<Result>,
): Promise<Result> {
  const names = Object.keys(settings).map(quoteLiteral);
  const values = Object.values(settings).map(quoteLiteral);
  const present = names.map((name) => `pg_catalog.current_setting(${name})`);
  const enterSql = `
with before as materialized (select array[${present.join(", ")}] as settings)
select pg_catalog.array_to_json(settings)::text as settings${names.map((name, index) => `, pg_catalog.set_config(${name}, ${values[index]}, settings is not null)`).join("")} from before`;
  const leaveSql = `select ${names.map((name, index) => `pg_catalog.set_config(${name}, $${index + 1}::text, true)`).join(", ")}`;
  const [row] = await transaction.query<{ settings: string }>(enterSql, [], { prepare: true });
  const result = await work();
  await transaction.query(leaveSql, JSON.parse(row?.settings ?? "[]"), { prepare: true });
  return result;
}

/** PostgreSQL qualifies every name except those of pg_catalog, and needs every other one qualified. */
export const noSearchPath = { search_path: "pg_catalog, pg_temp" } as const;

/** Runs statements of a transaction without a search path of its own. */
export function withPlainPath<Result>(
  transaction: Transaction,
  work: () => Promise<Result>,
): Promise<Result> {
  return withSettings(transaction, noSearchPath, work);
}
