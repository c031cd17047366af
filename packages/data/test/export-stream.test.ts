// Tier: long. Needs many rows.
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "@rowhouse/errors";
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  liveBytes,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { grant } from "./engine.ts";
import { createExporter, type Opened } from "./exporter.ts";

const rowCount = 250_000;
let test: TestDatabase;
let exporter: ReturnType<typeof createExporter>;
let user: TestUser;
let other: TestUser;

beforeAll(async () => {
  test = await createTestDatabase();
  exporter = createExporter(test.database);
  const roleId = await createRole(test.database, "Readers");
  user = await createUser(test.database, "reader@example.com", "Readers");
  other = await createUser(test.database, "other@example.com", "Readers");
  await test.database.query(`
    create table public.large (id int primary key, label text, note text);
    insert into public.large select n, 'row ' || n, repeat(md5(n::text), 8) from generate_series(1, ${rowCount}) n;
    create view public.slow as select id, pg_sleep(60)::text as waited from public.large;
    create view public.failing as select id, 1 / (id - 100000) as quotient from public.large;
    create table public.uneven (id int primary key, document text);
    insert into public.uneven select n, case when n > 5000 then repeat(md5(n::text), 32768) else '' end from generate_series(1, 5200) n`);
  for (const name of ["large", "slow", "failing", "uneven"]) {
    await expose(test.database, "public", name, "GET");
    await grant(test.database, exporter.snapshots, roleId, `public/${name}`, { action: "READ" });
  }
});
afterAll(() => test.drop());
afterEach(async () => {
  await test.database.query("delete from system.settings where key like 'data.%'");
  await expect.poll(statements).toEqual([]);
});

/** The wait events of the export statements that PostgreSQL executes now. */
async function statements(): Promise<string[]> {
  const rows = await test.database.query<{ doing: string }>(
    "select coalesce(wait_event, 'computing') as doing from pg_stat_activity where query like '/*%' and state = 'active' and datname = current_database()",
  );
  return rows.map(({ doing }) => doing);
}

async function setSetting(key: string, value: unknown): Promise<void> {
  await test.database.query(
    "insert into system.settings (key, value) values ($1::text, $2::text::jsonb) on conflict (key) do update set value = excluded.value",
    [key, JSON.stringify(value)],
  );
}

const codeOf = (opening: Promise<Opened>) =>
  opening.then(
    () => "OPENED",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

/** Reads a whole file and returns its size and the peak growth of memory in bytes. */
async function measure({ body }: Opened, pauseMs = 0) {
  const before = liveBytes();
  let [bytes, chunks, lines, most] = [0, 0, 0, 0];
  for await (const chunk of body) {
    bytes += chunk.length;
    chunks += 1;
    for (const byte of chunk) if (byte === 10) lines += 1;
    if (chunks % 50 === 0) most = Math.max(most, liveBytes());
    if (pauseMs > 0) await sleep(pauseMs);
  }
  return { bytes, lines, grown: most - before };
}

describe("an export of many rows", () => {
  it("a large export is complete and needs no more memory than a small one", async () => {
    await measure(await exporter.open(user, "public/large", "limit=50000", "NDJSON"));
    const ndjson = await measure(await exporter.open(user, "public/large", "", "NDJSON"));
    expect(ndjson.lines).toBe(rowCount);
    expect(ndjson.bytes).toBeGreaterThan(70_000_000);
    expect(ndjson.grown).toBeLessThan(20_000_000);
    const csv = await measure(await exporter.open(user, "public/large", "", "CSV"));
    expect(csv.lines).toBe(rowCount + 1);
    expect(csv.grown).toBeLessThan(20_000_000);
  });

  it("an export has the requested order", async () => {
    const { body } = await exporter.open(
      user,
      "public/large",
      "fields=id&order_by=-id&where[id][_gt]=1",
      "CSV",
    );
    const ids = (await new Response(body).text()).split("\r\n").slice(1, -1).map(Number);
    expect(ids).toEqual(Array.from({ length: rowCount - 1 }, (_, index) => rowCount - index));
  });

  it("an export waits for a slow reader, also with large rows among small ones", async () => {
    const opened = await exporter.open(user, "public/uneven", "order_by=id", "CSV");
    await expect.poll(statements).toEqual(["ClientWrite"]);
    const { lines, grown } = await measure(opened, 5);
    expect(lines).toBe(5201);
    expect(grown).toBeLessThan(40_000_000);
  });
});

describe("an export that is not read to its end", () => {
  it("PostgreSQL ends an export that is canceled, read or unread", async () => {
    const unread = await exporter.open(user, "public/large", "", "NDJSON");
    await unread.body.cancel();
    expect(await statements()).toEqual([]);
    const { body, broken } = await exporter.open(user, "public/large", "", "NDJSON");
    const reader = body.getReader();
    for (let chunk = 0; chunk < 3; chunk += 1) expect((await reader.read()).done).toBe(false);
    await expect.poll(statements).toEqual(["ClientWrite"]);
    await reader.cancel();
    expect(await statements()).toEqual([]);
    expect(broken).toEqual([]);
  });

  it("PostgreSQL ends an export whose reader disconnects, also before the first row", async () => {
    const away = new AbortController();
    const opening = exporter.open(user, "public/slow/view", "", "CSV", away);
    await expect.poll(statements).toEqual(["PgSleep"]);
    away.abort();
    expect(await codeOf(opening)).toBe("SERVICE_UNAVAILABLE");
    expect(await statements()).toEqual([]);
    const reading = await exporter.open(user, "public/large", "", "NDJSON");
    const reader = reading.body.getReader();
    await reader.read();
    reading.away.abort();
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow("broken off");
    expect(reading.broken).toEqual([]);
  });
});

describe("an export that fails", () => {
  it("an error before the first row is returned as an error response", async () => {
    expect(
      await codeOf(exporter.open(user, "public/failing/view", "order_by=quotient", "CSV")),
    ).toBe("VALUE_INVALID");
  });

  it("an error after the first row breaks the stream off, so that the file is never mistaken for a complete one", async () => {
    const { body, broken } = await exporter.open(user, "public/failing/view", "", "NDJSON");
    const reader = body.getReader();
    let bytes = 0;
    const reading = (async () => {
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
        bytes += chunk.value.length;
      }
    })();
    await expect(reading).rejects.toThrow("The export was broken off");
    expect(bytes).toBeGreaterThan(0);
    expect(broken).toMatchObject([{ code: "22012" }]);
  });

  it("an export without a reader is broken off and releases its permit", async () => {
    await setSetting("data.export_stall_ms", 3000);
    const opened = await exporter.open(user, "public/large", "", "NDJSON");
    const reader = opened.body.getReader();
    await reader.read();
    await sleep(1000);
    expect((await reader.read()).done).toBe(false);
    await expect.poll(statements).toEqual([]);
    await expect(reader.read()).rejects.toThrow("broken off");
    expect(opened.broken).toHaveLength(1);
    const unread = await exporter.open(user, "public/large", "", "NDJSON");
    await expect.poll(() => unread.broken).toHaveLength(1);
  });

  it("an export that exceeds its time limit is broken off", async () => {
    await setSetting("data.export_timeout_ms", 1000);
    expect(await codeOf(exporter.open(user, "public/slow/view", "", "CSV"))).toBe("QUERY_TIMEOUT");
    const { body, broken } = await exporter.open(user, "public/large", "", "NDJSON");
    const reader = body.getReader();
    await reader.read();
    await sleep(1200);
    await expect(reader.read()).rejects.toThrow("broken off");
    expect(broken).toMatchObject([{ code: "QUERY_TIMEOUT" }]);
  });
});

describe("concurrent exports", () => {
  it("the limit holds for all engines of a process together", async () => {
    await setSetting("data.max_exports", 2);
    const previews = createExporter(test.database, exporter.snapshots, exporter.bounds);
    const first = await exporter.open(user, "public/large", "", "NDJSON");
    const second = await previews.open(other, "public/large", "", "NDJSON");
    for (const each of [exporter, previews]) {
      expect(await codeOf(each.open(other, "public/large", "", "CSV"))).toBe("SERVICE_UNAVAILABLE");
    }
    await first.body.cancel();
    const third = await previews.open(other, "public/large", "", "NDJSON");
    await Promise.all([second.body.cancel(), third.body.cancel()]);
  });

  it("exports are limited per user and in total, and each releases its permit however it ends", async () => {
    await setSetting("data.max_exports", 3);
    for (let round = 0; round < 2; round += 1) {
      const first = await exporter.open(user, "public/large", "", "NDJSON");
      const second = await exporter.open(user, "public/large", "", "NDJSON");
      expect(await codeOf(exporter.open(user, "public/large", "", "CSV"))).toBe(
        "RATE_LIMIT_EXCEEDED",
      );
      const third = await exporter.open(other, "public/large", "", "NDJSON");
      expect(await codeOf(exporter.open(other, "public/large", "", "CSV"))).toBe(
        "SERVICE_UNAVAILABLE",
      );
      await first.body.cancel();
      second.away.abort();
      await expect.poll(statements).toHaveLength(1);
      await measure(third);
      expect(
        await codeOf(exporter.open(user, "public/failing/view", "order_by=quotient", "CSV")),
      ).toBe("VALUE_INVALID");
      const broken = await exporter.open(user, "public/failing/view", "", "NDJSON");
      await expect(measure(broken)).rejects.toThrow("broken off");
    }
  });
});
