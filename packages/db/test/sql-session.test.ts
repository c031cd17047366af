import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  openSqlSession,
  readPostgresFailure,
  type SqlNotice,
  type SqlSession,
} from "../src/index.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

async function withSession<Result>(
  work: (session: SqlSession, notices: SqlNotice[]) => Promise<Result>,
): Promise<Result> {
  const notices: SqlNotice[] = [];
  const session = openSqlSession({
    url: test.url,
    applicationName: "session",
    connectTimeoutMs: 5000,
    statementBytesMax: 4_000_000,
    statementTimeoutMs: 10_000,
    onNotice: (notice) => notices.push(notice),
  });
  try {
    return await work(session, notices);
  } finally {
    await session.close();
  }
}

async function run(session: SqlSession, text: string, parameters: string[] = [], rowsMax = 1000) {
  const rows: (readonly (string | null)[])[] = [];
  const outcome = await session.execute(text, parameters, (row) => {
    if (rows.length === rowsMax) return false;
    rows.push(row);
    return true;
  });
  return { rows, names: outcome.columns.map((column) => column.name), affected: outcome.affected };
}

describe("a session for any statement", () => {
  it("returns rows in PostgreSQL's text form, including columns of the same name", () =>
    withSession(async (session) => {
      expect(await run(session, "select 1 as a, null as a, 'é'::text, '{}'::jsonb as j")).toEqual({
        rows: [["1", null, "é", "{}"]],
        names: ["a", "a", "text", "j"],
        affected: null,
      });
    }));

  it("sends each parameter unchanged", () =>
    withSession(async (session) => {
      const text =
        "select $1::bool, $2::jsonb, $3::timestamptz, $4::bytea, $5::bigint, $6::int[], $7::float8";
      const parameters = ["false", '{"a":1}', "2024-01-01 00:00:00.123456+02", "\\x00ff"];
      const numbers = ["9007199254740993", "{1,2}", "1e300"];
      expect((await run(session, text, [...parameters, ...numbers])).rows).toEqual([
        [
          "f",
          '{"a": 1}',
          "2023-12-31 22:00:00.123456+00",
          "\\x00ff",
          "9007199254740993",
          "{1,2}",
          "1e+300",
        ],
      ]);
    }));

  it("closes a statement with too many rows, and its transaction continues", () =>
    withSession(async (session) => {
      await run(session, "begin");
      expect(
        (await run(session, "select generate_series(1, 100000000)", [], 45)).rows,
      ).toHaveLength(45);
      const several = await run(session, "select n from generate_series(1, 41) n");
      expect(several.rows).toHaveLength(41);
      expect(several).toMatchObject({ names: ["n"], affected: null });
      expect(await run(session, "create temp table t (a int)")).toMatchObject({ affected: null });
      expect(await run(session, "insert into t values (1), (2)")).toMatchObject({ affected: 2 });
      expect(await run(session, "update t set a = 3 returning a", [], 1)).toMatchObject({
        rows: [["3"]],
      });
      expect(await run(session, "commit")).toMatchObject({ rows: [] });
    }));

  it("rejects a second statement, and continues after an error", () =>
    withSession(async (session, notices) => {
      await expect(run(session, "select 1; select 2")).rejects.toThrow("multiple commands");
      await expect(run(session, "select $1::int", ["x"])).rejects.toThrow("invalid input syntax");
      await expect(run(session, "select 1/(n-25) from generate_series(1, 50) n")).rejects.toThrow(
        "division by zero",
      );
      await run(session, "do $$ begin raise notice 'hello'; end $$");
      expect(notices).toEqual([{ severity: "NOTICE", message: "hello" }]);
    }));

  it("ends at a row larger than the limit, and never reconnects", () =>
    withSession(async (session) => {
      await run(session, "begin");
      await expect(run(session, "select repeat('x', 50000000)")).rejects.toMatchObject({
        code: "BODY_TOO_LARGE",
      });
      const failure = await run(session, "select 1").catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Error);
    }));

  it("reports that its connection was closed", () =>
    withSession(async (session) => {
      const [row] = await session.query<{ pid: string }>("select pg_backend_pid()::text as pid");
      const sleeping = run(session, "select pg_sleep(20)").catch((error: unknown) => error);
      await expect
        .poll(
          async () =>
            (
              await test.database.query(
                `select 1 from pg_stat_activity where pid = ${row?.pid} and query like '%sleep%' and state = 'active'`,
              )
            ).length,
        )
        .toBe(1);
      await test.database.query(`select pg_terminate_backend(${row?.pid})`);
      expect(readPostgresFailure(await sleeping)?.code).toMatch(
        /57P01|CONNECTION_CLOSED|ECONNRESET/,
      );
      await expect(run(session, "select 1")).rejects.toThrow();
    }));
});
