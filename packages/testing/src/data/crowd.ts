import type { Database } from "@rowhouse/db";

/** Numbers of tables and views that `addCrowd` creates. */
export interface CrowdSize {
  readonly tables: number;
  readonly views: number;
}

/** The size of an ERP system's schema that a trial used. */
export const erpSize: CrowdSize = { tables: 545, views: 281 };

/**
 * Creates the schema `crowd`, as large as that of an ERP system: tables of 20 columns with foreign keys, unique keys,
 * checks and comments, and views over two tables or over another view.
 *
 * Event triggers are off meanwhile: with 826 relations, registering each one separately takes minutes.
 */
export async function addCrowd(database: Database, size: CrowdSize = erpSize): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query("set local statement_timeout = 0");
    // Before the first start there are none.
    const triggers = await transaction.query<{ name: string }>(
      "select evtname as name from pg_catalog.pg_event_trigger where evtname::text like 'rowhouse_after_%'",
    );
    const each = async (change: string) => {
      for (const { name } of triggers) {
        await transaction.query(`alter event trigger ${name} ${change}`);
      }
    };
    await each("disable");
    await transaction.query(crowdSql(size));
    await each("enable always");
    await transaction.query("comment on schema crowd is 'Registers all of it at once'");
  });
}

function crowdSql({ tables, views }: CrowdSize): string {
  return `do $crowd$
declare
  texts text;
begin
  create schema crowd;
  create type crowd.state as enum ('draft', 'open', 'done');
  select string_agg(format('f%s %s', n, (array['text', 'numeric(12, 2)', 'timestamptz', 'integer', 'boolean', 'jsonb', 'text[]'])[1 + n % 7]), ', ')
    into texts from generate_series(1, 14) n;
  for i in 1..${tables} loop
    execute format('create table crowd.table_%s (id bigint generated always as identity primary key, code text not null unique,
      state crowd.state not null default ''draft'', price numeric check (price >= 0), parent_id bigint %s, other_id bigint %s, %s)',
      i, case when i > 1 then format('references crowd.table_%s', i - 1) end,
      case when i > 9 then format('references crowd.table_%s', i / 3) end, texts);
    execute format('comment on table crowd.table_%s is %L', i, 'Table ' || i);
    execute format('comment on column crowd.table_%s.code is %L', i, 'What people call it');
  end loop;
  for i in 1..${views} loop
    if i % 4 = 0 then
      execute format('create view crowd.view_%s as select v.*, v.price * 2 as twice from crowd.view_%s v', i, i - 1);
    else
      execute format('create view crowd.view_%s as select a.id, a.code, a.state, a.price, a.f1, a.f2, a.f3, b.code as parent_code, b.f4
        from crowd.table_%s a left join crowd.table_%s b on b.id = a.parent_id where a.state <> ''draft''',
        i, 1 + i % ${tables}, 1 + (i + 1) % ${tables});
    end if;
  end loop;
end $crowd$`;
}
