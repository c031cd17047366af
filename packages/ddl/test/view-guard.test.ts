import { AppError } from "@rowhouse/errors";
import { describe, expect, it } from "vitest";
import { guardView } from "../src/index.ts";

const guard = (definition: string) => guardView("fleet", { name: "v", definition });
const sqlOf = async (definition: string) => (await guard(definition)).sql;
const refusal = async (definition: string): Promise<string> => {
  const error = await guard(definition).then(
    (view) => new Error(`was accepted: ${view.sql}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw error;
  return error.faults.map((fault) => `${fault.code} ${fault.path}`).join();
};

describe("an accepted view runs as its deparsed text with every name qualified", () => {
  it.each([
    ["select * from trips", "SELECT * FROM fleet.trips"],
    ["table trips", "SELECT * FROM fleet.trips"],
    ["select now() from public.x", "SELECT pg_catalog.now() FROM public.x"],
    ["select sum(a.x) from a", "SELECT pg_catalog.sum(a.x) FROM fleet.a"],
    // A WITH name hides a table of the same name only where the WITH query is visible.
    [
      "with a as (select 1 as one) select * from a, b",
      "WITH a AS (SELECT 1 AS one) SELECT * FROM a, fleet.b",
    ],
    [
      "with a as (select * from a), b as (select * from a) select * from b",
      "WITH a AS (SELECT * FROM fleet.a), b AS (SELECT * FROM a) SELECT * FROM b",
    ],
    [
      "select * from (with c as (select 1) select * from c) x, c",
      "SELECT * FROM ( WITH c AS (SELECT 1) SELECT * FROM c ) AS x, fleet.c",
    ],
    [
      "with recursive t as (select 1 as n union all select n + 1 from t where n < 9) select n from t",
      "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE n < 9) SELECT n FROM t",
    ],
    [
      "with w as (select 1 as a) select a from w union select b from u order by 1",
      "WITH w AS (SELECT 1 AS a) SELECT a FROM w UNION SELECT b FROM fleet.u ORDER BY 1",
    ],
  ])("%s", async (definition, sql) => {
    expect(await sqlOf(definition)).toBe(sql);
  });

  it.each([
    "select t.id, t.km as distance, d.name from trips t left join drivers d on d.id = t.driver_id",
    "select t.id from trips t left join lateral (select max(x.km) m from trips x where x.d = t.d) s on true",
    "select country, count(*), sum(total) filter (where total > 5) from i group by 1 having count(*) > 3 order by 2 desc nulls last limit 10",
    "select row_number() over (partition by a order by b desc), lag(x, 1, 0) over w from t window w as (partition by c order by d rows between unbounded preceding and current row)",
    "(select a from t order by a limit 3) union all (select b from u except select c from v) order by 1",
    "select timezone('utc', d), pg_catalog.timezone('utc', d) as other from t",
    "select extract(year from d), d at time zone 'UTC', substring(a from 2 for 3), trim(both ' ' from a) from t",
    "select array_agg(distinct a order by a), string_agg(a, ', '), percentile_cont(0.5) within group (order by x) from t",
    "select distinct on (a) a, b from t order by a, b desc",
    "select a from t where a in (1, 2) and b not in (select x from y) and exists (select 1 from z where z.id = t.id)",
    "select a from t group by grouping sets ((a), (b, c), ()), rollup (d)",
    "select x.n, u.v from generate_series(1, 10) as x(n) join unnest(array[1, 2]) with ordinality as u(v, i) on true",
    "select * from jsonb_to_recordset('[]'::jsonb) as x(a int, b text)",
    "values (1, 'a'), (2, 'b')",
    'select "weird ""name" as "select", t.* from "My Table" t natural join u',
    "select (r).f, (arr)[1], arr[1:2], j ->> 'a', row(a, b), array(select 1) from t",
    "select geo.distance(a, b), a operator(geo.<->) b from t",
  ])("%s", async (definition) => {
    const sql = await sqlOf(definition);
    expect(await sqlOf(sql)).toBe(sql);
  });
});

describe("anything other than one harmless SELECT is refused", () => {
  it.each([
    "",
    "select 1;",
    "select 1; drop table t",
    "select 1 -- swallowed",
    "select 1 /* swallowed */",
    "select 1 /* never closed",
    "select '\0'",
    "drop table t",
    "insert into t values (1) returning *",
    "explain select 1",
    "select 1) as x; drop table t; --",
    "select 1 with no data",
    "select * into u from t",
    "create table u as select 1",
    "select * from t for update",
    "select * from t for share skip locked",
    "select * from (select * from t for update) x",
    "with d as (delete from t returning *) select * from d",
    "with d as (insert into t values (1) returning *) select * from d",
    "with d as (update t set a = 1 returning *) select * from d",
    "select (with d as (delete from t returning 1) select 1)",
    "select * from t where a = $1",
    "select * from t tablesample system (1)",
    "select * from other_database.public.t",
    // Schemas other than user schemas.
    "select password_hash from system.users",
    "select 1 from t where exists (select 1 from system.sessions)",
    "select * from pg_catalog.pg_authid",
    "select * from pg_catalog.pg_shadow",
    "select * from information_schema.tables",
    "select * from rowhouse_queue.job",
    "select * from pg_toast.x",
    "select * from pg_temp.x",
    "with a as (select * from system.users) select * from a",
    // Functions that access the server or the network, wait, change data or execute a text.
    ...[
      "pg_sleep(9)",
      "pg_read_file('/etc/passwd')",
      "pg_read_binary_file('/etc/passwd')",
      "pg_ls_dir('/')",
      "pg_stat_file('x')",
      "lo_import('/etc/passwd')",
      "lo_export(1, '/tmp/x')",
      "lo_get(1)",
      "lo_create(0)",
      "set_config('role', 'admin', false)",
      "current_setting('ssl_key_file')",
      "query_to_xml('select 1', true, false, '')",
      "table_to_xml('system.users', true, false, '')",
      "database_to_xml(true, false, '')",
      "cursor_to_xml('c', 1, true, false, '')",
      "ts_stat('select 1')",
      "ts_rewrite('a'::tsquery, 'select 1')",
      "dblink('host=x', 'select 1')",
      "pg_advisory_lock(1)",
      "pg_try_advisory_xact_lock(1)",
      "pg_terminate_backend(1)",
      "pg_cancel_backend(1)",
      "pg_reload_conf()",
      "pg_notify('a', 'b')",
      "nextval('s')",
      "setval('s', 1)",
      "txid_current()",
      "pg_current_xact_id()",
      "random()",
      "gen_random_uuid()",
      "clock_timestamp()",
      "has_table_privilege('t', 'select')",
      "pg_get_viewdef('v')",
      "to_regclass('system.users')",
      "inet_server_addr()",
      "version()",
      "pg_catalog.pg_sleep(9)",
      "system.bump_epoch()",
      "system.epoch()",
      "pg_temp.f()",
      "information_schema._pg_truetypid(a, b)",
      "a.b.c(1)",
      "xmlparse(document '<a/>')",
      "xmlelement(name a)",
      "current_user",
      "session_user",
      "current_schema",
      "current_catalog",
      "'pg_authid'::regclass",
      "'system.users'::pg_catalog.regclass",
      "1 operator(system.+) 2",
      "1 operator(pg_temp.+) 2",
    ].flatMap((call) => [
      `select ${call}`,
      `select 1 from t order by (${call})`,
      `select count(*) filter (where (${call}) is null) over (partition by (${call})) from t`,
    ]),
    "select * from pg_ls_dir('/') as f(name)",
    "select * from rows from (generate_series(1, 2), pg_ls_dir('/')) as f",
    "select * from t, lateral pg_ls_dir(t.a) f",
    "select * from t join u on pg_sleep(1) is null",
    "select 1 limit (select pg_sleep(1) is null)::int",
    "select 1 group by grouping sets ((pg_sleep(1)))",
    "select distinct on (pg_sleep(1)) 1",
    "select a[pg_sleep(1)::text::int] from t",
    "select sum(a order by pg_sleep(1)) from t",
    "select sum(a) over (order by b rows (select lo_create(0)) preceding) from t",
    "values (pg_sleep(1))",
    "select case when true then pg_sleep(1) end",
    "select * from xmltable('/a' passing '<a/>' columns b text)",
    "select * from json_table('[]', '$[*]' columns (a int path '$'))",
  ])("%s", async (definition) => {
    expect(await refusal(definition)).toBe("EXPRESSION_INVALID /data/definition");
  });

  it("the guard limits the length, the tokens and the depth of a definition", async () => {
    expect(await refusal(`select ${"(".repeat(3000)}1${")".repeat(3000)}`)).toMatch(/^EXPR/);
    expect(await refusal(`select 1 ${"union select 1 ".repeat(2000)}`)).toMatch(/^EXPR/);
    expect(await refusal(`select '${"x".repeat(60_000)}'`)).toMatch(/^EXPR/);
    expect(await refusal(`select ${"not ".repeat(2000)}true`)).toMatch(/^EXPR/);
    expect(await refusal(`select ${"(".repeat(2400)}a${" + 1)".repeat(1200)}`)).toMatch(/^EXPR/);
    expect(await refusal(`select ${"(select ".repeat(1600)}1${")".repeat(1600)}`)).toMatch(/^EXPR/);
    expect(await refusal(`select ${"1 + ".repeat(2400)}1`)).toMatch(/^EXPR/);
    expect(await refusal(`${"select (".repeat(1000)}1${")".repeat(1000)}`)).toMatch(/^EXPR/);
    // The parser still works.
    expect(await sqlOf("select 1 as a")).toBe("SELECT 1 AS a");
  });
});

describe("indexes of a view definition", () => {
  it("only a materialized view can have indexes, and each names a column once", async () => {
    const of = (materialized: boolean, columns: string[]) =>
      guardView("s", {
        name: "v",
        definition: "select 1 as a",
        materialized,
        indexes: [{ columns, unique: true }],
      }).catch((error: unknown) =>
        error instanceof AppError ? error.faults.map((fault) => fault.path) : error,
      );
    expect(await of(false, ["a"])).toEqual(["/data/indexes"]);
    expect(await of(true, ["a", "a"])).toEqual(["/data/indexes/0/columns/1"]);
    expect(await of(true, ["a"])).toMatchObject({ materialized: true });
  });
});
