import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";

// DDL that names ordinary tables compares those alone with the registry; `sync_registry` compares all.

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  await run(`
    create schema other;
    create table public.plain (id int primary key, note text, rest int);
    create table public.animals (id int primary key, name text);
    create table public.cats (lives int) inherits (public.animals);
    create table public.ruled (id int);
    create view public.reader as select id, note from public.plain;
    create view public.outer_reader as select note from public.reader;
    create table public.logs (id int, at date not null) partition by range (at);
    insert into system.resource_columns (resource_id, attribute_number, column_name, label)
      select r.id, a.attnum, a.attname, 'Label' from system.resources r
      join pg_catalog.pg_attribute a on a.attrelid = r.relation_oid and a.attname in ('note', 'name', 'lives')
      where r.schema_name = 'public';
  `);
});
afterAll(() => test.drop());

const run = (text: string) => test.database.query(text);

async function registry() {
  const resources = await test.database.query<{ line: string }>(
    `select pg_catalog.concat_ws(' ', relation_oid, schema_name, relation_name, kind) as line
     from system.resources order by relation_oid`,
  );
  const columns = await test.database.query<{ line: string }>(
    `select pg_catalog.concat_ws(' ', r.relation_oid, c.attribute_number, c.column_name) as line
     from system.resource_columns c join system.resources r on r.id = c.resource_id
     order by r.relation_oid, c.attribute_number`,
  );
  return [...resources, ...columns].map(({ line }) => line);
}

it.each([
  "create table public.fresh (id int primary key, plain_id int references public.plain)",
  "create table public.logs_1 partition of public.logs for values from ('2026-01-01') to ('2027-01-01')",
  "create table public.copied as select 1 as id",
  "create temporary table passing (id int)",
  "create index on public.plain (note)",
  "alter table public.plain add constraint positive check (rest > 0)",
  "alter table public.plain rename column note to remark",
  "alter table public.animals rename column name to title",
  "alter table public.cats rename column lives to souls",
  "alter table public.plain drop column rest",
  "alter table public.fresh rename to renamed",
  "alter table public.renamed set schema other",
  "alter schema other rename to another",
  "create or replace view public.reader as select 1 as id, password_hash as note from system.users",
  "create or replace view public.reader as select id, remark as note from public.plain",
  "create rule reads as on insert to public.ruled do also select password_hash from system.users",
  "drop rule reads on public.ruled",
  "alter table public.logs detach partition public.logs_1",
  "drop view public.reader cascade",
  "drop table public.animals cascade",
  "alter table public.plain drop column remark",
  "drop schema another cascade",
])("the registry has nothing left to change after: %s", async (statement) => {
  await run(statement);
  const registered = await registry();
  await run("select system.sync_registry()");
  expect(await registry()).toEqual(registered);
});

it("a table that no event trigger saw is registered by the first statement that names it", async () => {
  const { database } = test;
  const isRegistered = async () => {
    const rows = await database.query(
      "select from system.resources where relation_name = 'unseen'",
    );
    return rows.length === 1;
  };
  await database.transaction(async (transaction) => {
    await transaction.query("alter event trigger rowhouse_after_ddl disable");
    await transaction.query("create table public.unseen (id int)");
    await transaction.query("alter event trigger rowhouse_after_ddl enable always");
  });
  expect(await isRegistered()).toBe(false);
  await run("create index on public.unseen (id)");
  expect(await isRegistered()).toBe(true);
});
