import { AppError } from "@rowhouse/errors";
import { createTestDatabase, generatedRuns, type TestDatabase } from "@rowhouse/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createView, guardView, previewCreateView } from "../src/index.ts";
import { viewFunctions } from "../src/view-guard.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  await test.database.query("create table public.t (a int, b text)");
});
afterAll(() => test.drop());

const define = (definition: string) => guardView("public", { name: "v", definition });
const traces = async () =>
  JSON.stringify(
    await test.database.query(
      `select (select count(*) from pg_class) as classes, (select count(*) from pg_rewrite) as rules,
         (select count(*) from pg_description) as comments, (select count(*) from system.resources) as resources,
         (select count(*) from system.audit_log) as entries, (select sum(value) from system.epoch) as epoch`,
    ),
  );

describe("the allowlist of functions in views", () => {
  it("every allowed function exists in PostgreSQL and has no volatile variant", async () => {
    const rows = await test.database.query<{ name: string; volatile: boolean }>(
      `select proname::text as name, bool_or(provolatile = 'v') as volatile from pg_proc
       where pronamespace = 'pg_catalog'::regnamespace and proname = any ($1::text::text[]) group by 1`,
      [`{${[...viewFunctions].join(",")}}`],
    );
    expect(rows.filter((row) => row.volatile)).toEqual([]);
    const known = new Set(rows.map((row) => row.name));
    // Syntax that the grammar translates to functions of other names.
    expect([...viewFunctions].filter((name) => !known.has(name)).sort()).toEqual([]);
  });

  it("a view cannot call any other function of PostgreSQL", async () => {
    const all = await test.database.query<{ name: string }>(
      `select distinct proname::text as name from pg_proc where pronamespace = 'pg_catalog'::regnamespace`,
    );
    const others = all.map((row) => row.name).filter((name) => !viewFunctions.has(name));
    expect(others.length).toBeGreaterThan(1500);
    for (const name of others) {
      for (const call of [`"${name}"()`, `pg_catalog."${name}"(a)`]) {
        await expect(define(`select ${call} as x from t`), name).rejects.toThrow("is not allowed");
      }
    }
  });
});

describe("a refused view definition", () => {
  const dangerous = fc.constantFrom(
    ...[
      "pg_sleep(0)",
      "pg_read_file('x')",
      "lo_create(0)",
      "query_to_xml('select 1', true, true, '')",
    ],
    ...["set_config('a.b', 'c', false)", "nextval('s')", "system.epoch()", "current_user"],
    ...["(select password_hash from system.users limit 1)", "pg_advisory_lock(1)", "'t'::regclass"],
    ...["(select rolpassword from pg_catalog.pg_authid limit 1)", "dblink('', '')", "$1"],
    ...["(with x as (delete from t returning a) select a from x)", "(select a from t for update)"],
  );
  /** Embeds an expression of any type in larger expressions. */
  const nested = fc.letrec<{ text: string }>((tie) => ({
    text: fc.oneof(
      { maxDepth: 4 },
      dangerous,
      fc
        .tuple(
          tie("text"),
          fc.constantFrom(
            ...["count(*) filter (where (%) is null)", "case when (%) is null then 1 end"],
            ...["coalesce((%)::text, 'a')", "array[(%)::text]", "row(%, 1)", "(select %)"],
            ...["exists (select % from t)", "(select max(b) from t where (%) is not null)"],
            ...[
              "sum(1) over (order by (%)::text)",
              "(array[1])[(%)::text::int]",
              "1 + (%)::text::int",
            ],
            ...["(with q as (select % as x) select count(*) from q)", "(values (%))"],
            ...["(select 1 union select (%)::text::int)", "lower((%)::text)"],
          ),
        )
        .map(([inner, outer]) => outer.replace("%", () => inner)),
    ),
  })).text;
  const places = fc.constantFrom(
    ...[
      "select % as x from t",
      "select 1 as x from t where (%) is null",
      "select 1 as x from t order by (%)",
    ],
    ...["select 1 as x from t group by (%)::text", "select 1 as x from t join t u on (%) is null"],
    ...["select x from (select % as x) s", "with q as (select % as x) select x from q"],
    ...["select 1 as x limit (%)::text::int", "select u.x from t, lateral (select % as x) u"],
    ...["values (%)", "select 1 as x union all select (%)::text::int"],
  );

  it("a forbidden part is refused at any position and the catalogue does not change", async () => {
    const before = await traces();
    await fc.assert(
      fc.asyncProperty(nested, places, async (part, place) => {
        const definition = place.replace("%", () => part);
        const error = await define(definition)
          .then((view) => createView(test.database, view, noActor))
          .catch((thrown: unknown) => thrown);
        expect(error, definition).toBeInstanceOf(AppError);
        expect((error as AppError).code).toBe("EXPRESSION_INVALID");
      }),
      { numRuns: generatedRuns(300) },
    );
    expect(await traces()).toBe(before);
  });

  it("a definition that only the database can check is refused as well", async () => {
    const before = await traces();
    for (const definition of [
      "select (t).no_such from t",
      "select a from t group by b",
      "select sum(count(*)) from t",
      "select a from t union select b from t",
      "select nope.a from t",
      "with recursive r as (select 1 as n union all select count(*) from r) select * from r",
      "select lag(a) from t",
      "select array_agg(a) over (order by a range between 'x' preceding and current row) from t",
    ]) {
      const view = await define(definition);
      const error = await previewCreateView(test.database, view).catch((thrown: unknown) => thrown);
      expect([definition, (error as AppError).code]).toEqual([definition, "EXPRESSION_INVALID"]);
      expect((error as AppError).message).not.toMatch(/relation|syntax|SQLSTATE|LINE/);
    }
    expect(await traces()).toBe(before);
  });
});

const noActor = { userId: null, tokenId: null, address: null, requestId: null };
