// Tier: long. Needs many rows.
import { setTimeout as sleep } from "node:timers/promises";
import { createTestDatabase, findFreePort, liveBytes, type TestDatabase } from "@rowhouse/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openDatabase, type TextRow, toAppError } from "../src/index.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
afterEach(async () => {
  expect(await backends()).toEqual([]);
});

const options = { timeoutMs: 30_000 };
const numbers = "select n::text, repeat('x', 100) from generate_series(1, $1::text::int) n";
const endless =
  "select n::text, repeat('x', 1000) from (select generate_series(1, 1000000000) as n) s";
/** Computes for a minute before its first row. */
const stuck = "select pg_sleep(60)::text";

/** Returns the statements that the server still runs for streams, seconds after their end. */
async function backends(): Promise<string[]> {
  const rows = await test.database.query<{ query: string }>(
    "select state || ' ' || coalesce(wait_event, '') as query from pg_stat_activity where query like '/*%' and datname = current_database()",
  );
  return rows.map(({ query }) => query);
}

async function read(rows: AsyncIterable<TextRow[]>): Promise<TextRow[]> {
  const all: TextRow[] = [];
  for await (const batch of rows) all.push(...batch);
  return all;
}

describe("a stream of rows", () => {
  it("returns every row in order, columns as text and null as null", async () => {
    const all = await read(test.database.stream(numbers, ["50000"], options));
    expect(all.map(([n]) => Number(n))).toEqual(Array.from({ length: 50_000 }, (_, n) => n + 1));
    const odd = "select null::text, '', $1::text from generate_series(1, 2)";
    expect(await read(test.database.stream(odd, ["ä\u{1f697}"], options))).toEqual([
      [null, "", "ä\u{1f697}"],
      [null, "", "ä\u{1f697}"],
    ]);
    expect(await read(test.database.stream("select 'a' where false", [], options))).toEqual([]);
  });

  it("makes PostgreSQL wait for a slow reader without delaying other statements", async () => {
    const rows = test.database.stream(endless, [], options);
    const first = await rows.next();
    expect(first.done).toBe(false);
    await expect.poll(backends).toEqual(["active ClientWrite"]);
    const before = liveBytes();
    await sleep(500);
    expect(await backends()).toEqual(["active ClientWrite"]);
    expect(liveBytes() - before).toBeLessThan(5_000_000);
    const others = Array.from({ length: 50 }, () => test.database.query("select 1"));
    expect(await Promise.all(others)).toHaveLength(50);
    for (let batch = 0; batch < 100; batch += 1) expect((await rows.next()).done).toBe(false);
    await rows.return?.();
  });

  it("buffers at most a few rows, of any size and at any offset", async () => {
    const text =
      "select case when n > 5000 then repeat(md5(n::text), 65536) else 'small' end from generate_series(1, 5200) n";
    let [batches, rows, chars, most] = [0, 0, 0, 0];
    const before = liveBytes();
    for await (const batch of test.database.stream(text, [], options)) {
      rows += batch.length;
      for (const [column] of batch) chars += column?.length ?? 0;
      batches += 1;
      if (batches % 20 === 0) most = Math.max(most, liveBytes());
      await sleep(5);
    }
    expect([rows, chars]).toEqual([5200, 5000 * 5 + 200 * 2_097_152]);
    expect(most - before).toBeLessThan(40_000_000);
  });

  it("ends in PostgreSQL when its reader stops, after any number of rows", async () => {
    const unread = test.database.stream(endless, [], options);
    await unread.return?.();
    expect(await backends()).toEqual([]);
    let batches = 0;
    for await (const batch of test.database.stream(endless, [], options)) {
      expect(batch.length).toBeGreaterThan(0);
      batches += 1;
      if (batches === 3) break;
    }
    expect(await backends()).toEqual([]);
  });

  it("ends in PostgreSQL when its signal aborts: during a computation, during a wait, before its start", async () => {
    const reason = new Error("the caller disconnected");
    const computing = new AbortController();
    const rows = test.database.stream(stuck, [], { ...options, signal: computing.signal });
    const next = rows.next();
    await expect.poll(backends).toEqual(["active PgSleep"]);
    computing.abort(reason);
    await expect(next).rejects.toBe(reason);
    expect(await backends()).toEqual([]);

    const waiting = new AbortController();
    const slow = test.database.stream(endless, [], { ...options, signal: waiting.signal });
    await slow.next();
    await expect.poll(backends).toEqual(["active ClientWrite"]);
    waiting.abort(reason);
    await expect.poll(backends).toEqual([]);
    await expect(slow.next()).rejects.toBe(reason);

    const before = test.database.stream(endless, [], { ...options, signal: AbortSignal.abort() });
    await expect(before.next()).rejects.toThrow("aborted");

    const connecting = new AbortController();
    const early = test.database.stream(stuck, [], { ...options, signal: connecting.signal });
    await sleep(1);
    connecting.abort(reason);
    await expect(early.next()).rejects.toBe(reason);
  });

  it("ends at its time limit, blocked or not", async () => {
    const rows = test.database.stream(stuck, [], { timeoutMs: 300 });
    const error = await rows.next().catch((thrown: unknown) => toAppError(thrown).code);
    expect(error).toBe("QUERY_TIMEOUT");
    const slow = test.database.stream(endless, [], { timeoutMs: 300 });
    await slow.next();
    await sleep(400);
    await expect(slow.next()).rejects.toMatchObject({ code: "QUERY_TIMEOUT" });
  });

  it("reports an error of PostgreSQL to its reader, at the start or in the middle", async () => {
    const unknown = test.database.stream("select nope from nothing", [], options);
    await expect(unknown.next()).rejects.toMatchObject({ code: "42P01" });
    const text = "select (1 / (n - 30000))::text from generate_series(1, 50000) n";
    await expect(read(test.database.stream(text, [], options))).rejects.toMatchObject({
      code: "22012",
    });
  });

  it("reports the end of PostgreSQL to its reader, waiting or not", async () => {
    const kill = () =>
      test.database.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where query like '/*%' and datname = current_database()",
      );
    const rows = test.database.stream(stuck, [], options);
    // The handler is attached at the start: the stream may fail before the statement that ends it has a response.
    const next = rows.next().catch((error: unknown) => toAppError(error).code);
    await expect.poll(backends).toEqual(["active PgSleep"]);
    await kill();
    expect(await next).toBe("SERVICE_UNAVAILABLE");
    const slow = test.database.stream(endless, [], options);
    await slow.next();
    await expect.poll(backends).toEqual(["active ClientWrite"]);
    await kill();
    await expect.poll(backends).toEqual([]);
    await expect(read(slow).catch((error) => toAppError(error).code)).resolves.toBe(
      "SERVICE_UNAVAILABLE",
    );
  });

  it("fails if no server listens, with several hosts as well", async () => {
    const port = await findFreePort();
    for (const host of [`127.0.0.1:${port}`, `127.0.0.1:${port},127.0.0.1:${port}`]) {
      const nowhere = openDatabase({ url: `postgres://a@${host}/b`, applicationName: "test" });
      const rows = nowhere.stream("select 1", [], options);
      const code = await rows.next().catch((error: unknown) => toAppError(error).code);
      expect(code).toBe("SERVICE_UNAVAILABLE");
      await nowhere.close();
    }
  });

  it("ends with its pool", async () => {
    const pool = openDatabase({ url: test.url, applicationName: "test" });
    const rows = pool.stream(endless, [], options);
    await rows.next();
    await pool.close();
    await expect(read(rows)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });
});
