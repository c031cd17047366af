import { AppError } from "@rowhouse/errors";
import { describe, expect, it } from "vitest";
import { parseColumnExpression, parseColumnType } from "../src/index.ts";

const path = "/data/columns/0/check";
const columns = new Set(["a", "b", "tags", "doc", 'odd "name', "Größe.x"]);
const guard = (text: string, kind: "default" | "check" = "check") =>
  parseColumnExpression(text, kind, columns, path).then((parsed) => parsed.sql);
const refusal = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    (result) => new Error(`was accepted: ${JSON.stringify(result)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw error;
  expect(error.faults).toHaveLength(1);
  expect(error.faults[0].path).toBe(path);
  return error.code;
};

describe("an accepted expression runs as its deparsed text", () => {
  it.each([
    ["now()", "pg_catalog.now()"],
    ["  'ACTIVE'  ", "'ACTIVE'"],
    ["gen_random_uuid()", "pg_catalog.gen_random_uuid()"],
    ["CURRENT_DATE + 30", "CURRENT_DATE + 30"],
    ["'{}'::jsonb", "'{}'::jsonb"],
    ["E'it''s \\\\ fine'", "E'it''s \\\\ fine'"],
    ["date_trunc('day', now() at time zone 'utc')", undefined],
    ["timezone('utc', now())", "pg_catalog.now() AT TIME ZONE 'utc'"],
    ["timezone('utc'::text, now())", "pg_catalog.now() AT TIME ZONE 'utc'::text"],
    ["pg_catalog.timezone('utc', now())::date", undefined],
    ["array['a', 'b']::text[]", undefined],
    ["interval '1 day' * 3", undefined],
    ["-1", "-1"],
    ["null", "NULL"],
    ["make_interval(days => 3)", "pg_catalog.make_interval(days => 3)"],
  ])("default %s", async (text, sql) => {
    const deparsed = await guard(text, "default");
    if (sql !== undefined) expect(deparsed).toBe(sql);
    expect(await guard(deparsed, "default")).toBe(deparsed);
  });

  it.each([
    "a > 0 and (b < 10 or b is null)",
    "lower(a) = a and length(a) between 3 and 10",
    "a in ('x', 'y') and a not like '%!%' escape '!'",
    "a ~ '^[A-Z]{2}-[0-9]+$'",
    "jsonb_typeof(doc) = 'object' and doc ? 'x' and doc->>'x' <> ''",
    "cardinality(tags) <= 5 and tags[1] = any(array['p','q'])",
    "case when a is null then true else b is distinct from a end",
    "coalesce(a, b) > greatest(1, least(a, b))",
    "extract(year from a) >= 2000 and trim(b) <> '' and substring(b from 1 for 2) = 'ab'",
    'a collate "C" < b',
    "(a is json object) is not true",
    "(a, b) <> (1, 2) and not (a = b)",
    '"odd ""name" > 0 and "Größe.x" <> $$x;--$$',
    "a operator(pg_catalog.=) 1",
    "a <> 'two\nlines\u0001'",
    "position('@' in a) > 1",
    "timezone(b, a) > '2026-01-01'",
  ])("check %s", async (text) => {
    const deparsed = await guard(text);
    expect(await guard(deparsed)).toBe(deparsed);
  });
});

describe("anything other than one harmless expression is refused", () => {
  it.each([
    "query_to_xml('select 1', true, false, '')",
    "0 references t(id) on delete cascade",
    "set_config('role', 'admin', false)",
    "1; drop table system.users",
    "1;",
    "0 -- swallowed",
    "0 /* swallowed */",
    "0 /* never closed",
    "0) , evil int default (1",
    "1, 2",
    "1 as x",
    "",
    "  ",
    "0\0",
    "'\ud800'",
    "(select password_hash from system.users limit 1)",
    "exists (select 1)",
    "a in (select 1)",
    "array(select 1)",
    "1 from pg_sleep(1)",
    "1 union select 2",
    "1 limit 1",
    "$1",
    ":x",
    "default",
    "pg_sleep(10)",
    "pg_read_file('/etc/passwd')",
    "nextval('s')",
    "lo_import('/etc/passwd')",
    "pg_catalog.set_config('a', 'b', true)",
    "public.lower('x')",
    "information_schema.lower('x')",
    "current_user",
    "session_user",
    "current_schema",
    "system_user",
    "'pg_class'::regclass",
    "'lower'::regproc",
    "cast('x' as regrole)",
    "regclass 'pg_class'",
    "'x'::pg_catalog.regclass",
    "'x'::system.users",
    "1 operator(public.+) 2",
    "1 !! 2",
    "count(*)",
    "sum(1) over ()",
    "lower(distinct 'x')",
    "concat(variadic array['x'])",
    "xmlparse(document '<x/>')",
    "xmlelement(name x)",
    "generate_series(1, 10)",
    "row_number() over ()",
    `${"(".repeat(5000)}1${")".repeat(5000)}`,
    `${"not ".repeat(990)}true`,
    `${"- ".repeat(400)}b'1'`,
    `${"abs(".repeat(300)}1${")".repeat(300)}`,
    `'${"x".repeat(20_000)}'`,
    "current of c",
  ])("%s", async (text) => {
    expect(await refusal(guard(text, "default"))).toBe("EXPRESSION_INVALID");
    expect(await refusal(guard(text, "check"))).toBe("EXPRESSION_INVALID");
  });

  it("a default cannot mention a column, and a check only unqualified columns of its table", async () => {
    expect(await refusal(guard("a", "default"))).toBe("EXPRESSION_INVALID");
    for (const text of ["c > 0", "t.a > 0", "t.* is null", "ctid is null", "public.t.a > 0"]) {
      expect(await refusal(guard(text))).toBe("EXPRESSION_INVALID");
    }
  });

  it("a check cannot call a function whose result varies", async () => {
    for (const text of ["random() > 0.5", "gen_random_uuid() is null"]) {
      expect(await refusal(guard(text))).toBe("EXPRESSION_INVALID");
    }
  });

  it("the parser keeps working after texts that exhaust it", async () => {
    await refusal(guard("(".repeat(9000)));
    expect(await guard("a > 0")).toBe("a > 0");
  });
});

describe("a column's type", () => {
  const parse = (text: string) => parseColumnType(text, path);

  it.each([
    ["bigint", "bigint"],
    ["BIGINT", "bigint"],
    ["INT8", "int8"],
    ["uuid", "uuid"],
    ["varchar(10)", "varchar(10)"],
    ["numeric(10, 2)", "numeric(10, 2)"],
    ["timestamp with time zone", "timestamp with time zone"],
    ["timestamptz(3)", undefined],
    ["text[]", "text[]"],
    ["int[3][]", undefined],
    ["double precision", "double precision"],
    ["character varying", undefined],
    ["bit varying(5)", undefined],
    ["interval day to second(3)", undefined],
    ["time(0) with time zone", undefined],
  ])("%s", async (text, sql) => {
    const parsed = await parse(text);
    if (sql !== undefined) expect(parsed.sql).toBe(sql);
    expect(parsed.references).toEqual([]);
    expect((await parse(parsed.sql)).sql).toBe(parsed.sql);
  });

  it("a user-defined type is returned for a lookup with its letter case preserved", async () => {
    expect((await parse('"Mood"')).references).toEqual([{ sql: '"Mood"', path }]);
    expect((await parse('fleet."a.b"[]')).references).toEqual([{ sql: '"fleet"."a.b"', path }]);
  });

  it.each([
    "setof int",
    "public.t.a%type",
    "int default 5",
    "int, evil int",
    "int) , (evil int",
    "int primary key",
    "int references t(id)",
    'text collate "C"',
    "int x",
    "int -- x",
    "int; drop table t",
    "int from t",
    "int + 1",
    "int union select 1",
    "numeric((select 1))",
    "serial",
    "bigserial",
    "pg_catalog.regclass",
    "system.users",
    "information_schema.sql_identifier",
    "a.b.c",
    "",
  ])("%s is refused", async (text) => {
    expect(await refusal(parse(text))).toBe("EXPRESSION_INVALID");
  });
});
