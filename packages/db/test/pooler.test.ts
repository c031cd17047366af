// Tier: all. Starts processes.
import {
  createTestDatabase,
  hasPgBouncer,
  type PgBouncerServer,
  startPgBouncer,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectDatabase, type Database, readPostgresFailure } from "../src/index.ts";
import { directSettings } from "../src/session-settings.ts";

const poolSize = 5;

// A pool through PgBouncer in transaction mode, which assigns a session only for each transaction.
describe.skipIf(!hasPgBouncer())("a pool behind PgBouncer", () => {
  let test: TestDatabase;
  let pooler: PgBouncerServer;
  let database: Database;
  const open = (
    more: { connectionsMax?: number; statementTimeoutMs?: number; waitMs?: number } = {},
  ) =>
    connectDatabase({
      url: pooler.urlOf(test.url),
      directUrl: test.url,
      applicationName: "pooled",
      prepare: false,
      connectionsMax: 50,
      ...more,
    });
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => "none",
      (error: unknown) => readPostgresFailure(error)?.code,
    );

  beforeAll(async () => {
    test = await createTestDatabase({ login: "service" });
    pooler = await startPgBouncer(test.url, poolSize);
    database = await open();
  });
  afterAll(async () => {
    await database.close();
    await pooler.stop();
    await test.drop();
  });

  it("runs fifty statements on five connections, each with its own result", async () => {
    const asked = Array.from({ length: 1000 }, (_, index) => index);
    let next = 0;
    const got: number[] = [];
    const ask = async () => {
      for (let index = next++; index < asked.length; index = next++) {
        const text =
          index % 3 === 0 ? "select $1::text::int + 0 as n" : "select ($1::text)::int as n";
        const options = { prepare: index % 2 === 0 };
        const [row] =
          index % 5 === 0
            ? await database.transaction(async (transaction) => {
                await transaction.query("select set_config('rowhouse.test', $1::text, true)", [
                  String(index),
                ]);
                return transaction.query<{ n: number }>(
                  "select current_setting('rowhouse.test')::int as n",
                  [],
                  options,
                );
              })
            : await database.query<{ n: number }>(text, [String(index)], options);
        got[index] = row?.n ?? -1;
      }
    };
    await Promise.all(Array.from({ length: 50 }, ask));
    expect(got).toEqual(asked);
    const [count] = await test.database.query<{ sessions: number }>(
      `select count(*)::int as sessions from pg_stat_activity
       where usename = $1::text and datname = current_database() and client_port is not null and application_name <> 'test-service'`,
      [decodeURIComponent(new URL(test.url).username)],
    );
    expect(count?.sessions).toBeLessThanOrEqual(poolSize);
  });

  it("runs a statement with parameters that follows one without", async () => {
    const pooled = await open({ connectionsMax: 1 });
    // The server takes time to read it, and has answered the previous statement by then.
    const long = `select $1::int as n where 0 not in (${Array.from({ length: 20_000 }, (_, index) => index + 1)})`;
    for (let round = 0; round < 5; round += 1) {
      const asked = [pooled.query("select 0 as n"), pooled.query(long, [String(round)])];
      expect(await Promise.all(asked)).toEqual([[{ n: 0 }], [{ n: round }]]);
    }
    await pooled.close();
  });

  it("a parameter that its type rejects fails its own statement and no other", async () => {
    const asked = Array.from({ length: 300 }, (_, index) => index);
    for (const pooled of [database, await open({ statementTimeoutMs: 9_000 })]) {
      const outcomes = await Promise.all(
        asked.map(async (index) => {
          const text = index % 3 === 0 ? "never" : `2020-01-${10 + (index % 20)}`;
          const options = { prepare: index % 2 === 0 };
          try {
            const [row] = await pooled.query<{ day: string }>(
              "select ($1::date)::text as day",
              [text],
              options,
            );
            return row?.day === text;
          } catch (error) {
            return text === "never" && readPostgresFailure(error)?.code === "22007";
          }
        }),
      );
      expect(outcomes.filter((outcome) => !outcome)).toEqual([]);
      if (pooled !== database) await pooled.close();
    }
  });

  it("a committed transaction is visible to the next statement", async () => {
    await test.database.query("create table public.counted (id int primary key, n int)");
    await test.database.query("insert into public.counted values (1, 0)");
    const [writer, reader] = [await open({ connectionsMax: 6 }), await open({ connectionsMax: 6 })];
    let others = true;
    const noise = Array.from({ length: 10 }, async () => {
      while (others) await reader.query("select $1::text as word", ["noise"]);
    });
    for (let n = 1; n <= 100; n += 1) {
      await writer.transaction(async (transaction) => {
        await transaction.query("update public.counted set n = $1::text::int", [String(n)]);
      });
      const read = () =>
        reader.query("select n from public.counted where id = $1::text::int", ["1"], {
          prepare: true,
        });
      expect(await Promise.all([read(), read(), read()])).toEqual([[{ n }], [{ n }], [{ n }]]);
    }
    others = false;
    await Promise.all([...noise]);
    await Promise.all([writer.close(), reader.close()]);
  });

  it("a start fails if the configuration names no pooler", async () => {
    await expect(
      connectDatabase({ url: pooler.urlOf(test.url), applicationName: "unaware" }),
    ).rejects.toThrow("There is a pooler");
    const lenient = await startPgBouncer(test.url, 2, {
      ignore_startup_parameters: [
        ...Object.keys(directSettings).map((name) => name.toLowerCase()),
        "statement_timeout",
        "idle_in_transaction_session_timeout",
        "rowhouse.own_session",
      ].join(", "),
    });
    await expect(
      connectDatabase({ url: lenient.urlOf(test.url), applicationName: "unaware" }),
    ).rejects.toThrow("There is a pooler");
    await lenient.stop();
  });

  it("returns times, intervals and numbers in the service's forms", async () => {
    const rows = await Promise.all(
      Array.from({ length: 20 }, () =>
        database.query(
          `select (timestamptz '2026-03-01 12:00+02')::text as at, (interval '1 day 2 hours')::text as took,
             (0.1::float8 + 0.2::float8)::text as number, current_setting('TimeZone') as zone`,
        ),
      ),
    );
    for (const row of rows) {
      expect(row).toEqual([
        {
          at: "2026-03-01 10:00:00+00",
          took: "P1DT2H",
          number: "0.30000000000000004",
          zone: "UTC",
        },
      ]);
    }
  });

  it("ends a statement at its time limit, regardless of the pooler's sessions", async () => {
    const hurried = await open({ statementTimeoutMs: 200 });
    expect(await failure(hurried.query("select pg_sleep(5)"))).toBe("57014");
    expect(
      await failure(hurried.transaction((transaction) => transaction.query("select pg_sleep(5)"))),
    ).toBe("57014");
    // The setting does not stay in the session, which another transaction gets next.
    expect(await failure(database.query("select pg_sleep(0.5)"))).toBe("none");
    hurried.setStatementTimeout(3000);
    expect(await failure(hurried.query("select pg_sleep(0.5)"))).toBe("none");
    hurried.setStatementTimeout(100);
    expect(await failure(hurried.query("select pg_sleep(5)"))).toBe("57014");
    await hurried.close();
  });

  describe("with a statement that waits for the lock of a table", () => {
    const countSql = "select count(*)::int as n from public.held";
    const whileLocked = (work: () => Promise<void>) =>
      test.database.transaction(async (transaction) => {
        await transaction.query("lock table public.held in access exclusive mode");
        await work();
      });
    beforeAll(async () => {
      await test.database.query("create table public.held (n int)");
    });

    it("takes back the statements whose callers leave before they are sent, and no other one", async () => {
      const narrow = await open({ connectionsMax: 1 });
      const others: Promise<unknown>[] = [];
      await whileLocked(async () => {
        const options = { isAbandoned: () => true };
        others.push(narrow.query(countSql));
        const left = [
          narrow.query("insert into public.held values (1)", [], options),
          narrow.query("select $1::int as n", ["1"], options),
        ];
        others.push(narrow.query("select $1::int as n", ["2"]));
        expect(await Promise.all(left.map(failure))).toEqual(["57014", "57014"]);
      });
      expect(await Promise.all(others)).toEqual([[{ n: 0 }], [{ n: 2 }]]);
      expect(await narrow.query(countSql)).toEqual([{ n: 0 }]);
      await narrow.close();
    });

    it("withdraws a statement that finds no connection in time, and never sends it", async () => {
      const narrow = await open({ connectionsMax: 1, waitMs: 200 });
      const others: Promise<unknown>[] = [];
      await whileLocked(async () => {
        others.push(narrow.query(countSql));
        await Promise.all(
          ["insert into public.held values (1)", "select 1 as n"].map((text) =>
            expect(narrow.query(text)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" }),
          ),
        );
      });
      expect(await Promise.all(others)).toEqual([[{ n: 0 }]]);
      expect(await narrow.query(countSql)).toEqual([{ n: 0 }]);
      await narrow.close();
    });

    it("uses a connection whose first statement was withdrawn while the connection opened", async () => {
      const two = await open({ connectionsMax: 2, waitMs: 200 });
      const others: Promise<unknown>[] = [];
      expect(await two.query("select 0 as n")).toEqual([{ n: 0 }]);
      await pooler.whileFrozen(async () => {
        // The first statement takes the open connection. The other connection gets no answer.
        others.push(two.query("select 1 as n"));
        await expect(two.query("insert into public.held values (1)")).rejects.toMatchObject({
          code: "SERVICE_UNAVAILABLE",
        });
      });
      expect(await Promise.all(others)).toEqual([[{ n: 1 }]]);
      await whileLocked(async () => {
        others.push(two.query(countSql));
        expect(await two.query("select 2 as n")).toEqual([{ n: 2 }]);
      });
      expect(await Promise.all(others)).toEqual([[{ n: 1 }], [{ n: 0 }]]);
      await two.close();
    });
  });

  it("a statement that was sent ends by its time limit though its caller has left", async () => {
    const hurried = await open({ connectionsMax: 2, statementTimeoutMs: 1500 });
    const options = { isAbandoned: () => true };
    // A cancellation by process id could reach the statement of another client of the pooler.
    const left = [
      hurried.query("select pg_sleep(60)", [], options),
      hurried.transaction((transaction) => transaction.query("select pg_sleep(60)", [], options)),
    ];
    await Promise.all(
      left.map((statement) => expect(statement).rejects.toThrow("due to statement timeout")),
    );
    expect(await Promise.all([1, 2].map(() => hurried.query("select 1 as n")))).toEqual([
      [{ n: 1 }],
      [{ n: 1 }],
    ]);
    await hurried.close();
  });

  it("receives a NOTIFY that was sent through the pooler", async () => {
    const heard: string[] = [];
    const stop = await database.listen("pooled_channel", (payload) => heard.push(payload));
    await database.query("select pg_notify('pooled_channel', 'here')");
    await expect.poll(() => heard).toEqual(["here"]);
    await stop();
  });

  it("streams on its own connection, and ends the statement there", async () => {
    const rows = database.stream("select n::text from generate_series(1, 100000) n", [], {
      timeoutMs: 30_000,
    });
    let seen = 0;
    for await (const batch of rows) seen += batch.length;
    expect(seen).toBe(100_000);
    const stuck = new AbortController();
    const waiting = database.stream("select pg_sleep(60)::text", [], {
      timeoutMs: 60_000,
      signal: stuck.signal,
    });
    const ended = waiting.next().catch((error: unknown) => error);
    stuck.abort(new Error("gone"));
    expect(await ended).toMatchObject({ message: "gone" });
    await expect
      .poll(
        async () =>
          (
            await test.database.query(
              "select 1 from pg_stat_activity where query like '%pg_sleep(60)%' and state = 'active' and datname = current_database() and pid <> pg_backend_pid()",
            )
          ).length,
      )
      .toBe(0);
  });

  it("counts as available while all its connections are busy, and as unavailable when the pooler has stopped", async () => {
    const other = await startPgBouncer(test.url, 1);
    const small = await connectDatabase({
      url: other.urlOf(test.url),
      directUrl: test.url,
      applicationName: "small",
      prepare: false,
    });
    const busy = small.query("select pg_sleep(4)");
    expect(await small.health()).toEqual({ database: true, pooler: true });
    await busy;
    await other.stop();
    expect(await small.health()).toEqual({ database: true, pooler: false });
    await small.close();
  });

  it("a start fails if the two URLs name different databases", async () => {
    const other = await startPgBouncer(test.ownerUrl, 2);
    const owner = { applicationName: "pooled", prepare: false, directUrl: test.ownerUrl };
    const elsewhere = new URL(other.urlOf(test.ownerUrl));
    elsewhere.pathname = "/postgres";
    await expect(connectDatabase({ ...owner, url: elsewhere.href })).rejects.toThrow(
      "the same database of one server",
    );
    await other.stop();
  });
});
