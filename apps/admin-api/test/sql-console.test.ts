// Tiers: usual, topologies.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Answer,
  nobody,
  openTestEnvironment,
  type TestEnvironment,
} from "./test-environment.ts";

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment();
  await environment.test.database.query("create schema fleet");
  await environment.test.database.query(
    `create table fleet.vans (id int primary key, plate text unique, km numeric, meta jsonb);
     insert into fleet.vans select n, 'VAN-' || n, 12345678901234567890.5, '{"n": 9007199254740993}' from generate_series(1, 3) n`,
  );
});
afterAll(() => environment.test.drop());

interface Options {
  readonly readOnly?: boolean;
  readonly parameters?: unknown[];
  readonly rowsMax?: number;
  readonly timeoutMs?: number;
  readonly id?: string;
}
const run = (sql: string, options: Options = {}) =>
  environment.ask("POST", "/sql", { sql, ...options });
const write = (sql: string, options: Options = {}) => run(sql, { ...options, readOnly: false });
const rows = (answer: Answer) => answer.body.data.results.at(-1).rows;
const message = (answer: Answer) => answer.body.errors[0].message;
const query = (text: string) => environment.test.database.query<Record<string, string>>(text);

describe("a run", () => {
  it("returns the columns of each statement with their types, its rows and their number", async () => {
    const answer = await run(
      "select id, plate as p, plate as p from fleet.vans order by id limit 2; select count(*) from fleet.vans",
    );
    expect(answer.status).toBe(200);
    expect(answer.body.data.results).toEqual([
      {
        command: "SELECT",
        rowCount: 2,
        truncated: false,
        columns: [
          { name: "id", type: "integer" },
          { name: "p", type: "text" },
          { name: "p", type: "text" },
        ],
        rows: [
          [1, "VAN-1", "VAN-1"],
          [2, "VAN-2", "VAN-2"],
        ],
      },
      expect.objectContaining({ columns: [{ name: "count", type: "bigint" }], rows: [["3"]] }),
    ]);
    expect(answer.body.data.notices).toEqual([]);
  });

  it("returns every digit, and values in the formats of the Data API", async () => {
    const response = await environment.raw("POST", "/sql", {
      sql: `select 9007199254740993, 12345678901234567890.50, '{"a": 9007199254740993, "b": 1.10}'::jsonb, true, 1.5::float8,
        'NaN'::float8, '\\x00ff'::bytea, timestamptz '2024-02-03 04:05:06.789+02', timestamp '2024-02-03 04:05',
        array[[1, 2], [3, null]], array['a"b', 'c,d', null, 'NULL', '\\\\'], array[9007199254740993], '[2:3]={7,8}'::int[],
        '{}'::text[], interval '1 day 2 hours', int4range(1, 5), 'x'::pg_catalog.name, '1 2'::int2vector, null::int,
        (select v from fleet.vans v where id = 1)`,
    });
    const text = await response.text();
    expect(text.slice(text.indexOf('"rows":'))).toBe(
      `"rows":[["9007199254740993","12345678901234567890.50",{"a": 9007199254740993, "b": 1.10},true,1.5,` +
        `"NaN","AP8=","2024-02-03T02:05:06.789+00:00","2024-02-03T04:05:00",` +
        String.raw`[[1,2],[3,null]],["a\"b","c,d",null,"NULL","\\\\"],["9007199254740993"],[7,8],` +
        String.raw`[],"P1DT2H","[1,5)","x","1 2",null,"(1,VAN-1,12345678901234567890.5,\"{\"\"n\"\": 9007199254740993}\")"]]}]}}`,
    );
  });

  it("binds the parameters of one statement unchanged", async () => {
    const answer = await run(
      "select $1::bigint, $2::jsonb, $3::bool, $4::text is null, $5::numeric",
      {
        parameters: ["9007199254740993", '{"a":1}', false, null, 1.5],
      },
    );
    expect(rows(answer)).toEqual([["9007199254740993", { a: 1 }, false, true, "1.5"]]);
    const several = await run("select $1; select $2", { parameters: ["1", "2"] });
    expect(several.faults).toEqual(["BODY_INVALID /data/parameters"]);
    expect(
      (await run("select $1::int", { parameters: ["x'; drop table fleet.vans; --"] })).faults,
    ).toEqual(["SQL_FAILED /data/sql"]);
  });

  it("supports user-defined types and arrays of them", async () => {
    await query("create domain fleet.amount as numeric; create type fleet.kind as enum ('A', 'B')");
    const answer = await run(
      "select 1::fleet.amount, 'A'::fleet.kind, '{A,B}'::fleet.kind[], '{1.0}'::fleet.amount[]",
    );
    expect(answer.body.data.results[0]).toMatchObject({
      columns: ["numeric", "fleet.kind", "fleet.kind[]", "fleet.amount[]"].map((type) => ({
        type,
      })),
      rows: [["1", "A", ["A", "B"], ["1.0"]]],
    });
  });

  it("returns the notices of Postgres", async () => {
    const answer = await run("do $$ begin raise notice 'hello %', 1; raise warning 'oh'; end $$");
    expect(answer.body.data).toMatchObject({
      results: [{ command: "DO", columns: [], rows: [], rowCount: null }],
      notices: [
        { severity: "NOTICE", message: "hello 1" },
        { severity: "WARNING", message: "oh" },
      ],
    });
  });

  it("truncates results with too many rows or bytes, and reports it", async () => {
    const answer = await run("select generate_series(1, 100000000); select 1", { rowsMax: 25 });
    expect(answer.body.data.results).toMatchObject([
      { truncated: true, rowCount: null },
      { truncated: false, rowCount: 1 },
    ]);
    expect(answer.body.data.results[0].rows).toHaveLength(25);
    const exact = await run("select generate_series(1, 25)", { rowsMax: 25 });
    expect(exact.body.data.results[0]).toMatchObject({ truncated: false, rowCount: 25 });
    await setting("sql_console.max_bytes", 100_000);
    const large = await run("select repeat('x', 1000) from generate_series(1, 1000)");
    expect(large.body.data.results[0].truncated).toBe(true);
    expect(large.body.data.results[0].rows.length).toBeLessThan(101);
    const huge = await run("select repeat('x', 18000000)");
    expect(huge).toMatchObject({ status: 400, faults: ["SQL_FAILED /data/sql"] });
    await setting("sql_console.max_rows", 10);
    expect(rows(await run("select generate_series(1, 100)", { rowsMax: 50 }))).toHaveLength(10);
    await query("delete from system.settings");
  });

  it("refuses an invalid body and a text without a statement", async () => {
    for (const data of [
      {},
      { sql: 1 },
      { sql: "select 1", nope: 1 },
      { sql: "select 1", rowsMax: 0 },
    ]) {
      expect((await environment.ask("POST", "/sql", data)).status).toBe(400);
    }
    expect((await run(" ; -- nothing\n /* at ; all */ ;; ")).faults).toEqual([
      "BODY_INVALID /data/sql",
    ]);
    expect((await run("select 1;".repeat(101))).faults).toEqual(["BODY_INVALID /data/sql"]);
    expect((await run("select '\0'")).faults).toEqual(["BODY_INVALID /data/sql"]);
  });

  it("splits a long text in linear time", async () => {
    expect((await run("select 1;".repeat(110_000))).faults).toEqual(["BODY_INVALID /data/sql"]);
    const far = await run(`${"select '😀😀';".repeat(50)}select nope`);
    expect(far.body.errors[0].details).toMatchObject({ statement: 50, position: 50 * 12 + 8 });
  });

  it("splits statements like psql", async () => {
    const answer = await run(
      `select 'a;b', $$c;d$$, $x$ $$;$$ $x$, e'\\';', "id" from fleet.vans /* ; /* ; */ ; */ where id = 1 -- ;
       ; (select 2) ;; select 3`,
    );
    expect(answer.body.data.results.map((result: { rows: unknown }) => result.rows)).toEqual([
      [["a;b", "c;d", " $$;$$ ", "';", 1]],
      [[2]],
      [[3]],
    ]);
  });
});

const setting = (key: string, value: unknown) =>
  query(
    `insert into system.settings (key, value) values ('${key}', '${JSON.stringify(value)}') on conflict (key) do update set value = excluded.value`,
  );

describe("the changes of a run", () => {
  it("are refused unless readOnly is false, and are atomic then", async () => {
    for (const text of [
      "insert into fleet.vans values (9)",
      "set transaction read write; insert into fleet.vans values (9)",
      "set transaction_read_only = off; insert into fleet.vans values (9)",
      "set session characteristics as transaction read write; insert into fleet.vans values (9)",
      "select set_config('transaction_read_only', 'off', false); insert into fleet.vans values (9)",
      "do $$ begin insert into fleet.vans values (9); end $$",
    ]) {
      expect((await run(text)).faults, text).toEqual(["SQL_FAILED /data/sql"]);
    }
    expect((await write("insert into fleet.vans values (9); select 1/0")).status).toBe(400);
    expect(await query("select 1 from fleet.vans where id = 9")).toEqual([]);
    const answer = await write(
      "insert into fleet.vans values (9, 'N'); update fleet.vans set plate = 'M' where id = 9 returning plate",
    );
    expect(answer.body.data.results).toMatchObject([
      { command: "INSERT", rowCount: 1, rows: [] },
      { command: "UPDATE", rowCount: 1, rows: [["M"]] },
    ]);
    await write("delete from fleet.vans where id = 9");
  });

  it("can affect tables created later, also by other clients", async () => {
    await query(
      "create schema later; create table later.t (id serial primary key, a text); create view later.v as select a from later.t",
    );
    expect((await write("insert into later.t (a) values ('x')")).status).toBe(200);
    expect(rows(await run("select a from later.v"))).toEqual([["x"]]);
  });

  it("are checked before the commit, including deferred constraints", async () => {
    await query(
      "create table fleet.parts (van int references fleet.vans (id) deferrable initially deferred)",
    );
    const answer = await write("insert into fleet.parts values (77)");
    expect(answer.faults).toEqual(["SQL_FAILED /data/sql"]);
    expect(message(answer)).toContain("foreign key");
    expect(await query("select 1 from fleet.parts")).toEqual([]);
  });
});

describe("a failure", () => {
  it("has the message of Postgres, the SQLSTATE and the position in the text", async () => {
    const answer = await run("select 1; select 'é', nope from fleet.vans");
    expect(answer.body.errors).toEqual([
      {
        code: "SQL_FAILED",
        message: 'column "nope" does not exist',
        path: "/data/sql",
        details: { statement: 1, sqlState: "42703", position: 23 },
      },
    ]);
    expect((await run("selec 1")).body.errors[0].message).toBe('syntax error at or near "selec"');
    expect((await run("select 'abc")).body.errors[0].message).toContain(
      "unterminated quoted string",
    );
    const unique = await write("insert into fleet.vans values (1)");
    expect(unique.body.errors[0].details).toMatchObject({
      sqlState: "23505",
      detail: "Key (id)=(1) already exists.",
    });
  });
});

describe("limits", () => {
  it("end a run after its time limit, even if it changes statement_timeout", async () => {
    for (const text of [
      "select pg_sleep(60)",
      "set statement_timeout = 0; select pg_sleep(60)",
      "do $$ begin loop begin perform pg_sleep(60); exception when query_canceled then null; end; end loop; end $$",
    ]) {
      const answer = await run(text, { timeoutMs: 700 });
      expect(answer).toMatchObject({ status: 504, faults: ["QUERY_TIMEOUT"] });
    }
    await expect
      .poll(() =>
        query(
          "select 1 from pg_stat_activity where datname = current_database() and application_name = 'sql-console'",
        ),
      )
      .toEqual([]);
  });

  it("release the table locks of a run", async () => {
    const answer = await write(
      "lock table fleet.vans in access exclusive mode; set statement_timeout = 0; select pg_sleep(60)",
      { timeoutMs: 700 },
    );
    expect(answer.status).toBe(504);
    expect(await query("select id from fleet.vans where id = 1")).toHaveLength(1);
  });

  it("bound the number of runs, and allow one run per id", async () => {
    await setting("sql_console.max_runs", 1);
    const id = randomUUID();
    const slow = run("select pg_sleep(60)", { id });
    await expect
      .poll(() => query("select 1 from system.sql_console_runs where backend_pid is not null"))
      .toHaveLength(1);
    const second = await run("select 1");
    expect(second).toMatchObject({ status: 429, faults: ["RATE_LIMIT_EXCEEDED"] });
    expect(second.headers.get("retry-after")).toBe("5");
    expect((await run("select 1", { id })).faults).toEqual(["CONFLICT /data/id"]);
    expect((await environment.ask("DELETE", `/sql/${id}`)).status).toBe(204);
    expect(await slow).toMatchObject({ status: 409, faults: ["SQL_CANCELLED"] });
    expect((await run("select 1")).status).toBe(200);
    await query("delete from system.settings");
  });
});

describe("cancelling", () => {
  it("rolls back the run, even if the run catches cancellations", async () => {
    const id = randomUUID();
    const slow = write(
      "insert into fleet.vans values (50); do $$ begin loop begin perform pg_sleep(60); exception when query_canceled then null; end; end loop; end $$",
      { id },
    );
    await expect
      .poll(() =>
        query(
          "select 1 from pg_stat_activity where datname = current_database() and application_name = 'sql-console' and query like 'do%'",
        ),
      )
      .toHaveLength(1);
    expect((await environment.ask("DELETE", `/sql/${id.toUpperCase()}`)).status).toBe(204);
    expect(await slow).toMatchObject({ status: 409, faults: ["SQL_CANCELLED"] });
    expect(await query("select 1 from fleet.vans where id = 50")).toEqual([]);
    expect((await environment.ask("DELETE", `/sql/${id}`)).status).toBe(404);
    expect((await environment.ask("DELETE", `/sql/${nobody}`)).status).toBe(404);
  });

  it("happens when the caller disconnects", async () => {
    const away = new AbortController();
    const slow = environment.raw(
      "POST",
      "/sql",
      { sql: "set statement_timeout = 0; select pg_sleep(60)" },
      away.signal,
    );
    const active = () =>
      query(
        "select 1 from pg_stat_activity where datname = current_database() and application_name = 'sql-console' and query like '%sleep%'",
      );
    await expect.poll(active).toHaveLength(1);
    away.abort();
    await slow.catch(() => undefined);
    await expect.poll(active).toEqual([]);
    await expect.poll(() => query("select 1 from system.sql_console_runs")).toEqual([]);
  });
});

describe("the audit log", () => {
  it("records the commands and tables of each run, never its text", async () => {
    const id = randomUUID();
    await write("update fleet.vans set plate = 'SECRET-7' where id = 1; select 1", { id });
    await run("select plate from fleet.vans where plate = 'SECRET-8'");
    await run("select nope");
    const entries = (await environment.ask("GET", "/audit-log?targetKind=sql&limit=3")).body.data;
    expect(entries).toMatchObject([
      { action: "sql.read", outcome: "FAILED", changedFields: ["SELECT"] },
      { action: "sql.read", outcome: "SUCCEEDED", changedFields: ["SELECT", "read fleet.vans"] },
      {
        action: "sql.write",
        outcome: "SUCCEEDED",
        targetId: id,
        actorUserId: environment.admin.id,
        changedFields: ["SELECT", "UPDATE", "write fleet.vans"],
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain("SECRET");
  });
});
