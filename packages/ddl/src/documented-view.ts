import type { Transaction } from "@rowhouse/db";
import { quoteQualified } from "@rowhouse/db";
import { ofExtensionSql, plainViewIndexSql, viewOthersSql } from "./base/documented-table-sql.ts";
import { forbiddenSql } from "./base/forbidden-sql.ts";
import { withPlainPath } from "./base/transaction-settings.ts";
import type { GuardedView } from "./guarded-view.ts";

/** A view as documents describe it. */
export interface DocumentedView {
  readonly schema: string;
  readonly name: string;
  readonly materialized: boolean;
  /** The SELECT as PostgreSQL writes it, with every relation and type qualified. */
  readonly definition: string;
  readonly comment: string | null;
  /** Of a materialized view; `columns` is null for an index that has more than columns, such as an order. */
  readonly indexes: readonly {
    readonly name: string;
    readonly columns: readonly string[] | null;
    readonly unique: boolean;
  }[];
  /** Whether an extension has made it. */
  readonly isOfExtension: boolean;
  /** Whether it is a plain view with options: without `security_invoker`, a copy of it would show more rows. */
  readonly hasOptions: boolean;
  /** Whether it calls what the view of a document may not. */
  readonly isForbidden: boolean;
  /** What else documents do not describe: `options security_invoker=true`, `trigger writes`. */
  readonly others: readonly string[];
}

const loadSql = `
  select n.nspname as schema, c.relname as name, c.relkind = 'm' as materialized,
    rtrim(btrim(pg_get_viewdef(c.oid, true)), ';') as definition, obj_description(c.oid, 'pg_class') as comment,
    (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('name', i.relname, 'unique', x.indisunique,
       'columns', case when ${plainViewIndexSql} then
         (select pg_catalog.json_agg(a.attname order by k.position) from pg_catalog.unnest(x.indkey) with ordinality k (number, position)
          join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.number) end) order by i.relname), '[]')
     from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid where x.indrelid = c.oid)::text as indexes,
    ${ofExtensionSql} as "isOfExtension", c.relkind = 'v' and c.reloptions is not null as "hasOptions", ${viewOthersSql}::text as others,
    exists (${forbiddenSql("c.oid")}) as "isForbidden"
  from system.registrable_relations r
  join pg_catalog.pg_class c on c.oid = r.relation_oid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where r.kind = 'VIEW'`;

/** Returns every view of users, in no order. */
export async function loadDocumentedViews(transaction: Transaction): Promise<DocumentedView[]> {
  const rows = await withPlainPath(transaction, () =>
    transaction.query<
      Omit<DocumentedView, "indexes" | "others"> & { indexes: string; others: string }
    >(loadSql),
  );
  return rows.map(({ indexes, others, ...view }) => ({
    ...view,
    others: JSON.parse(others) as string[],
    indexes: JSON.parse(indexes) as DocumentedView["indexes"],
  }));
}

/**
 * Returns how PostgreSQL writes the SELECT of a view: it creates a temporary view, reads it, and drops it. Call it in a
 * transaction.
 *
 * @throws the database's error for a SELECT that no view can have
 */
export async function settleView(transaction: Transaction, { sql }: GuardedView): Promise<string> {
  const name = quoteQualified("pg_temp", "rowhouse_written");
  await transaction.asService.query(`create temporary view ${name} as ${sql}`);
  const [row] = await withPlainPath(transaction, () =>
    transaction.query<{ definition: string }>(
      "select rtrim(btrim(pg_get_viewdef('pg_temp.rowhouse_written'::regclass, true)), ';') as definition",
    ),
  );
  await transaction.asService.query(`drop view ${name}`);
  return row?.definition ?? "";
}
