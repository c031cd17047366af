// Tiers: all, long, topologies. Calls each tool on each table; a long run reads more.
import { createToken, expose, isLongRun } from "@rowhouse/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listTools, useTool } from "./mcp-call.ts";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// Calls of an administrator's agent while `mcp.access` is READ_ONLY and everything else is permitted. The database is
// the same before and after, whatever SQL they contain.

const isLong = isLongRun();
/** A call of `run_sql` opens a session of its own, which takes longer than all others. */
const counts = isLong ? { calls: 10_000, sql: 2_500 } : { calls: 1_500, sql: 250 };
/** At most as many as runs of the SQL console at once. */
const atOnce = 2;

let environment: TestEnvironment;
let token: string;
const query = (text: string) => environment.test.database.query<{ [name: string]: string }>(text);

beforeAll(async () => {
  environment = await openTestEnvironment();
  const { admin, test } = environment;
  token = (await createToken(test.database, admin.id, "admin")).secret;
  await query(
    `create table kept (id int primary key, note text, amount numeric);
     insert into kept select n, 'note ' || n, n from generate_series(1, 20) n;
     create sequence counter;
     create materialized view kept_twice as select * from kept;
     create function writes() returns int language plpgsql security definer as
       $$ begin insert into public.kept values (1000 + (random() * 1e6)::int, 'written'); return 1; end $$;
     create function writes_sql() returns int language sql security definer as
       $$ delete from public.kept where id = 1 returning id $$;
     create function unlocks() returns text language sql security definer as
       $$ select set_config('transaction_read_only', 'off', true) $$;
     create procedure commits() language plpgsql security definer as
       $$ begin commit; delete from public.kept; end $$;
     create procedure commits_plainly() language plpgsql as $$ begin commit; delete from public.kept; end $$;
     create view writing as select writes() as it`,
  );
  await expose(test.database, "public", "kept", "GET", "POST", "PATCH", "DELETE");
  await expose(test.database, "public", "kept_twice", "GET");
  await environment.set("mcp.enabled", true);
  await environment.set("mcp.allow_deletes", true);
  await environment.set("mcp.allow_workflows", true);
  await environment.set("mcp.allow_sql", true);
  await environment.set("sql_console.allow_api_tokens", true);
});
afterAll(() => environment.stop());

/** Tables of the service that record the calls themselves. */
const records = ["audit_log", "sql_console_runs", "mcp_calls", "rate_limits", "rate_counters"];

/** Everything in the database, but for the records of the calls and the last use of the token. */
async function digest(): Promise<Readonly<Record<string, string>>> {
  const relations = await query(
    `select n.nspname as schema, c.relname as name, c.relkind as kind from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'S', 'm') and n.nspname in ('public', 'system') order by 1, 2`,
  );
  const parts: Record<string, string> = {};
  for (const { schema = "", name = "", kind } of relations) {
    if (schema === "system" && (kind === "S" || records.includes(name))) continue;
    const row =
      kind === "S"
        ? "to_jsonb(t.last_value)"
        : name === "tokens"
          ? "to_jsonb(t) - 'last_used_at' - 'last_used_ip'"
          : "to_jsonb(t)";
    const [sum] = await query(
      `select coalesce(md5(string_agg(it::text, '|' order by it::text)), '') as sum from (select ${row} as it from "${schema}"."${name}" t) rows`,
    );
    parts[`${schema}.${name}`] = sum?.sum ?? "";
  }
  const [objects] = await query(
    `select md5(concat((select string_agg(c.oid::text || c.relname || coalesce(c.relacl::text, ''), ',' order by c.oid) from pg_class c
         join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('public', 'system')),
       (select string_agg(p.oid::text || p.prosrc, ',' order by p.oid) from pg_proc p where p.pronamespace = 'public'::regnamespace),
       (select string_agg(r.rolname, ',' order by r.oid) from pg_roles r where r.rolname like current_database() || '%'),
       (select string_agg(s::text, ',') from pg_db_role_setting s left join pg_roles r on r.oid = s.setrole
         where s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
           and (s.setrole = 0 or r.rolname like current_database() || '%')), (select count(*) from pg_largeobject_metadata))) as sum`,
  );
  return { ...parts, objects: objects?.sum ?? "" };
}

const statements = [
  ...["select 1", "table kept", "select * from kept for update", "select * from writing"],
  ...["COMMIT", "commit and chain", "END", "END TRANSACTION", "ROLLBACK", "ABORT", "BEGIN"],
  ...["START TRANSACTION READ WRITE", "SAVEPOINT a", "RELEASE a", "PREPARE TRANSACTION 'x'"],
  "set transaction read write",
  "set session characteristics as transaction read write",
  "set transaction_read_only = off",
  "set default_transaction_read_only to off",
  "reset all",
  "discard all",
  "select set_config('transaction_read_only', 'off', false)",
  "select unlocks()",
  "select writes()",
  "select writes_sql()",
  "call commits()",
  "call commits_plainly()",
  "do $$ begin delete from public.kept; end $$",
  "do $$ begin perform set_config('transaction_read_only', 'off', true); delete from public.kept; end $$",
  "do $$ begin commit; delete from public.kept; end $$",
  "insert into kept values (50, 'x')",
  "update kept set note = 'x'",
  "delete from kept",
  "truncate kept",
  "merge into kept using kept k on false when not matched then insert values (99)",
  "with gone as (delete from kept returning *) select * from gone",
  "explain analyze delete from kept",
  "explain (analyze) select writes()",
  "prepare p as delete from kept",
  "execute p",
  "declare c cursor with hold for select writes()",
  "fetch c",
  "copy kept from program 'echo 1'",
  "copy kept to '/tmp/kept'",
  "copy (select 1) to stdout",
  "select nextval('counter')",
  "select setval('counter', 50)",
  "select lo_create(4711)",
  "select lo_from_bytea(4712, 'x')",
  "create table made (a int)",
  "create temp table made as select 1 as a",
  "create or replace function writes() returns int language sql as 'select 2'",
  "drop table kept",
  "alter table kept add column more int",
  "alter role current_user set default_transaction_read_only = off",
  "grant all on kept to public",
  "refresh materialized view kept_twice",
  "vacuum kept",
  "analyze kept",
  "reindex table kept",
  "lock table kept in access exclusive mode",
  "set role postgres",
  "set session authorization default",
  "notify channel, 'x'",
  "select pg_notify('channel', 'x')",
  "select pg_terminate_backend(pg_backend_pid())",
  "select query_to_xml('delete from kept', true, true, '')",
  "select * from pg_catalog.pg_read_file('/etc/passwd')",
  "insert into system.settings values ('mcp.access', '\"READ_WRITE\"')",
  "update system.users set active = false",
  "security label on table kept is 'x'",
  "comment on table kept is 'x'",
];
const blanks = [
  ...["", " ", "\n", "/* a */", "/* /* nested */ ; commit; */", "-- commit;\n", "--\n", ";", ";;"],
  ...[
    "/**/COMMIT/**/;",
    "/*! commit */",
    "$$ ; commit; $$",
    "E'\\'; commit; --'",
    '"; commit; --"',
  ],
];

const anySql = fc
  .array(fc.tuple(fc.constantFrom(...blanks), fc.constantFrom(...statements)), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.map(([blank, statement]) => `${blank}${statement}`).join(";"));

const hostile = fc.oneof(
  fc.constantFrom(...statements),
  fc.constantFrom(
    "'; delete from kept; --",
    "id) ; commit; --",
    '"',
    "kept",
    "id",
    "note",
    "*",
    "1",
  ),
  fc.constantFrom("count", "sum(amount)", "max(writes())", "sum(writes())", "-id", "id:nulls_last"),
  fc.string({ maxLength: 10 }),
);
const resource = {
  schema: fc.constantFrom("public", "public", "public", "system", "pg_catalog", "public; commit"),
  name: fc.constantFrom("kept", "kept", "kept", "kept_twice", "writing", "users", "kept; commit"),
};
const where = fc.oneof(
  fc.dictionary(fc.constantFrom("id", "note", "amount", "writes()"), fc.record({ _eq: hostile }), {
    maxKeys: 2,
  }),
  fc.constant({ id: { _gt: 3 } }),
);
const optional = <Shape extends Record<string, fc.Arbitrary<unknown>>>(shape: Shape) =>
  fc.record(shape, { requiredKeys: [] });
const key = fc.array(hostile, { minLength: 1, maxLength: 2 });
const values = fc.dictionary(fc.constantFrom("id", "note"), hostile, { maxKeys: 2 });
const terms = fc.array(hostile, { maxLength: 2 });
const merged = (...parts: fc.Arbitrary<object>[]) =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as object);
const change = optional({
  key,
  where,
  values,
  maxAffected: fc.constant(100),
  dryRun: fc.boolean(),
});
const list = optional({ where, search: hostile, orderBy: terms, limit: fc.nat(30) });

/** A call of a tool that reads, or of one that does not exist while `mcp.access` is READ_ONLY. */
const anyCall: fc.Arbitrary<readonly [string, object]> = fc.oneof(
  merged(fc.record(resource), list, optional({ fields: terms, key, count: fc.boolean() })).map(
    (input) => ["read_rows", input] as const,
  ),
  merged(fc.record(resource), list, optional({ aggregate: terms, groupBy: terms })).map(
    (input) => ["aggregate_rows", input] as const,
  ),
  merged(optional({ ...resource, query: hostile }), fc.constant({ detail: "full" })).map(
    (input) => ["search_resources", input] as const,
  ),
  fc.record(resource).map((input) => ["explain_access", input] as const),
  merged(fc.record(resource), change).map((input) => ["update_rows", input] as const),
  merged(fc.record(resource), change).map((input) => ["delete_rows", input] as const),
  fc
    .record({ ...resource, rows: fc.array(values, { maxLength: 2 }), idempotencyKey: fc.uuid() })
    .map((input) => ["create_rows", input] as const),
  fc
    .record({ slug: hostile, idempotencyKey: fc.uuid() })
    .map((input) => ["run_workflow", input] as const),
);
const anySqlCall: fc.Arbitrary<readonly [string, object]> = merged(
  fc.record({ sql: anySql }),
  optional({ readOnly: fc.boolean(), rowsMax: fc.constant(5), parameters: terms }),
).map((input) => ["run_sql", input] as const);

it("generated calls change nothing, run_sql included", async () => {
  expect(await listTools(environment, token)).not.toContain("create_rows");
  // The first run creates the login of the console.
  const first = await useTool(environment, token, "run_sql", { sql: "select 1 as one" });
  expect(first.content.data.results[0].rows).toEqual([[1]]);
  const before = await digest();
  const calls = [
    ...fc.sample(anyCall, counts.calls - counts.sql),
    ...fc.sample(anySqlCall, counts.sql),
    ...statements.map((sql) => ["run_sql", { sql }] as const),
  ];
  const done = { succeeded: 0, refused: 0 };
  const codes = new Set<string>();
  const work = async () => {
    for (let call = calls.pop(); call !== undefined; call = calls.pop()) {
      const [name, input] = call;
      const { status, isError, content, faults } = await useTool(environment, token, name, input);
      if (status !== 200) throw new Error(`${name} ${JSON.stringify(input)}: ${status} ${faults}`);
      if (isError || content === undefined) done.refused += 1;
      else done.succeeded += 1;
      for (const fault of faults) codes.add(fault.split(/[ /]/)[0] ?? "");
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await environment.settle();
  expect(await digest()).toEqual(before);
  // The calls got past the checks of their arguments, and no error was unexpected.
  expect(done.succeeded).toBeGreaterThan(counts.calls / 10);
  expect(done.refused).toBeGreaterThan(counts.calls / 10);
  expect([...codes]).toContain("SQL_FAILED");
  expect([...codes]).not.toContain("INTERNAL_ERROR");
  expect(await listTools(environment, token)).not.toContain("create_rows");
}, 600_000);
