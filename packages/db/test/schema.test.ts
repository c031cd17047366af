import { createTestDatabase, createUser, type TestDatabase } from "@rowhouse/testing";
import { is, SQL } from "drizzle-orm";
import { getTableConfig, type PgColumn, PgDialect, PgTable } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate, quoteLiteral, schema } from "../src/index.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

/** Returns the result of the migrations as PostgreSQL describes it. */
const dumpSql = `
select string_agg(part, E'\\n\\n' order by kind, name) || E'\\n' as dump from (
  select 1 as kind, c.relname::text as name,
    format(E'create table system.%I (\\n  %s\\n);', c.relname, string_agg(
      format('%I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attnotnull then ' not null' else '' end,
        case when a.attidentity = 'a' then ' generated always as identity'
          when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end),
      E',\\n  ' order by a.attnum)) as part
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = 'system'::regnamespace and c.relkind = 'r' group by c.relname
  union all
  select 2, conrelid::regclass::text || conname, format('alter table %s add constraint %I %s;', conrelid::regclass, conname, pg_get_constraintdef(oid))
  from pg_constraint where connamespace = 'system'::regnamespace and contype in ('p', 'u', 'f', 'c')
  union all
  select 3, i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) || ';'
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = 'system'::regnamespace and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u'))
  union all
  select 4, c.relname::text, format(E'create view system.%I as\\n%s', c.relname, pg_get_viewdef(c.oid))
  from pg_class c where c.relnamespace = 'system'::regnamespace and c.relkind = 'v'
  union all
  select 5, p.proname::text, pg_get_functiondef(p.oid) || ';' from pg_proc p where p.pronamespace = 'system'::regnamespace
  union all
  select 6, t.tgrelid::regclass::text || t.tgname, pg_get_triggerdef(t.oid) || ';'
  from pg_trigger t join pg_class c on c.oid = t.tgrelid where c.relnamespace = 'system'::regnamespace and not t.tgisinternal
  union all
  select 7, e.evtname::text, format('create event trigger %I on %s execute function %s();', e.evtname, e.evtevent, e.evtfoid::regproc)
  from pg_event_trigger e
) parts`;

const drizzleTables = Object.values(schema).filter((value) => is(value, PgTable));

const columnsSql = `
select a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
  pg_get_expr(d.adbin, d.adrelid) as default,
  a.attnum = any (coalesce(k.conkey, '{}')) as primary
from pg_attribute a
left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
left join pg_constraint k on k.conrelid = a.attrelid and k.contype = 'p'
where a.attrelid = to_regclass('system.' || quote_ident($1::text)) and a.attnum > 0 and not a.attisdropped
order by a.attnum`;

/** Returns the columns of a table of Drizzle as `columnsSql` returns those of the database. */
function describeColumns(table: PgTable): unknown[] {
  const { columns, primaryKeys } = getTableConfig(table);
  const keys = primaryKeys.flatMap((key) => key.columns);
  return columns.map((column) => ({
    name: column.name,
    type: column.getSQLType(),
    required: column.notNull,
    default: defaultOf(column),
    primary: column.primary || keys.some((key) => key.name === column.name),
  }));
}

/** Returns the default of a column in the form in which PostgreSQL prints it. */
function defaultOf(column: PgColumn): string | null {
  if (column.default === undefined) return null;
  if (is(column.default, SQL)) return new PgDialect().sqlToQuery(column.default).sql;
  const value = column.mapToDriverValue(column.default);
  if (typeof value !== "string") return String(value);
  return `${quoteLiteral(value)}::${column.getSQLType()}`;
}

describe("the system schema", () => {
  it("equals schema.sql", async () => {
    const [row] = await test.database.query<{ dump: string }>(dumpSql);
    await expect(
      `-- Written by the tests from the migrated database; update it with vitest's --update.\n\n${row?.dump}`,
    ).toMatchFileSnapshot("../schema.sql");
  });

  it.each(drizzleTables.map((table) => [getTableConfig(table).name, table] as const))(
    "has the columns, types, defaults and primary key of Drizzle's table %s",
    async (name, table) => {
      const stored = await test.database.query(columnsSql, [name]);
      expect(stored).toEqual(describeColumns(table));
    },
  );

  it("is unchanged after a second migration, also by several processes at once", async () => {
    const applied = await Promise.all([1, 2, 3].map(() => migrate(test.database)));
    expect(applied).toEqual([[], [], []]);
  });
});

describe("invariants of the system schema, for any client", () => {
  const run = (text: string) => test.database.query(text);
  /** Runs a statement in a transaction with an actor. */
  const asUser = (email: string) => (text: string) =>
    test.database.transaction(async (transaction) => {
      await transaction.query("select system.act_as(id) from system.users where email = $1::text", [
        email,
      ]);
      return transaction.query(text);
    });

  it("keep an active administrator", async () => {
    await createUser(test.database, "one@example.com", "Administrators");
    await createUser(test.database, "two@example.com", "Administrators");
    const run = asUser("two@example.com");
    await run(`update system.users set active = false where email = 'one@example.com'`);
    await expect(
      run(`update system.users set active = false where email = 'two@example.com'`),
    ).rejects.toThrow("An active administrator must remain");
    await expect(run(`delete from system.users where email = 'two@example.com'`)).rejects.toThrow(
      "An active administrator must remain",
    );
    await expect(run("delete from system.role_members")).rejects.toThrow(
      "An active administrator must remain",
    );
    await expect(run("delete from system.roles where is_administrators")).rejects.toThrow(
      "Administrators cannot be deleted",
    );
  });

  it("keep system accounts without password and session, and prevent their deletion", async () => {
    await expect(run("delete from system.users where is_system")).rejects.toThrow(
      "cannot be deleted",
    );
    await expect(
      run("update system.users set password_hash = 'x' where is_system"),
    ).rejects.toThrow("A system account cannot be changed");
    await expect(
      run(
        "insert into system.sessions (user_id, digest, method, expires_at) select id, 'x', 'password', now() from system.users where is_system",
      ),
    ).rejects.toThrow("holds no session");
  });

  it("keep the audit log append-only", async () => {
    await run("insert into system.audit_log (action, target_kind) values ('x', 'y')");
    for (const text of [
      "update system.audit_log set action = 'z'",
      "delete from system.audit_log",
      "truncate system.audit_log",
    ]) {
      await expect(run(text)).rejects.toThrow("append-only");
    }
  });
});
