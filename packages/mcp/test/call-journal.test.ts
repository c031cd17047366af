import { createTestDatabase, createUser, type TestDatabase } from "@rowhouse/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  createMcpCallJournal,
  listMcpCalls,
  type McpCall,
  type McpCallChange,
  type McpCallFilter,
  type McpCallJournal,
  purgeMcpCalls,
  watchMcpCalls,
} from "../src/index.ts";

let test: TestDatabase;
let call: McpCall;
let lost: number[] = [];
const every: McpCallFilter = { tool: null, outcome: null, userId: null, tokenId: null };
const token = "00000000-0000-4000-8000-000000000001";

beforeAll(async () => {
  test = await createTestDatabase();
  const { id } = await createUser(test.database, "grace@example.com", "Administrators");
  call = {
    ...{
      at: new Date("2026-01-31T12:00:00.250Z"),
      userId: id,
      tokenId: token,
      clientName: "Agent",
    },
    ...{ method: "tools/call", tool: "read_rows", outcome: "SUCCEEDED", code: null },
    ...{ durationMs: 11.6, rows: 3, bytes: 512, resource: "public.vehicles" },
  };
});
afterAll(() => test.drop());
beforeEach(async () => {
  lost = [];
  await test.database.query("delete from system.mcp_calls");
});

const openJournal = (database: Parameters<typeof createMcpCallJournal>[0]["database"]) =>
  createMcpCallJournal({ database, report: (_error, count) => lost.push(count) });
const listed = async (filter: Partial<McpCallFilter> = {}) =>
  (
    await listMcpCalls(test.database, {
      ...{ ...every, ...filter },
      ...{ limit: 1000, cursor: null, search: null },
    })
  ).items;

describe("the journal", () => {
  it("records each call with its person, rounded to milliseconds", async () => {
    const journal = openJournal(test.service);
    journal.record(call);
    await journal.idle();
    expect(await listed()).toEqual([
      {
        ...call,
        id: expect.any(String),
        at: "2026-01-31T12:00:00.25+00:00",
        durationMs: 12,
        userName: "grace@example.com",
        tokenName: null,
      },
    ]);
  });

  it("writes calls that arrive together as one statement, in their order", async () => {
    const statements: string[] = [];
    const journal = openJournal({
      query: (text, ...rest) => {
        statements.push(text);
        return test.service.query(text, ...rest);
      },
    } as typeof test.service);
    for (let rows = 0; rows < 400; rows += 1) journal.record({ ...call, rows });
    expect(statements).toEqual([]);
    await journal.close();
    expect(statements).toHaveLength(1);
    expect((await listed()).map(({ rows }) => rows)).toEqual(
      Array.from({ length: 400 }, (_, index) => 399 - index),
    );
  });

  it("bounds the texts of a caller and stores any of them", async () => {
    const journal = openJournal(test.service);
    journal.record({ ...call, tool: "\0".repeat(300), clientName: `${"a".repeat(199)}😀` });
    await journal.idle();
    const [row] = await listed();
    expect([row?.tool, row?.clientName]).toEqual([
      "\ufffd".repeat(200),
      `${"a".repeat(199)}\ufffd`,
    ]);
  });

  it("keeps at most 10,000 calls while the database is away, and reports how many it lost", async () => {
    const journal = openJournal({
      query: () => Promise.reject(new Error("away")),
    } as unknown as typeof test.service);
    for (let count = 0; count < 10_250; count += 1) journal.record(call);
    await journal.idle();
    expect(lost.reduce((sum, count) => sum + count)).toBe(10_250);
    expect(lost).toContain(250);
  });

  it("keeps the calls of a deleted person", async () => {
    const journal = openJournal(test.service);
    journal.record({ ...call, userId: token });
    await journal.idle();
    expect(await listed({ userId: token })).toMatchObject([{ userName: null }]);
  });

  it("deletes calls after the days of the setting", async () => {
    const journal = openJournal(test.service);
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    for (const days of [29, 30.5, 60])
      journal.record({ ...call, at: daysAgo(days), rows: days * 2 });
    await journal.idle();
    await purgeMcpCalls(test.service, 30);
    expect((await listed()).map(({ rows }) => rows)).toEqual([58]);
  });
});

describe("the watch of calls", () => {
  let stop: AbortController;
  let journals: McpCallJournal[];
  beforeEach(() => {
    stop = new AbortController();
    journals = [openJournal(test.service), openJournal(test.service)];
  });
  afterEach(() => stop.abort());

  /** Returns the rows of the next calls, until there are `count`. */
  const take = async (changes: AsyncGenerator<McpCallChange, void, undefined>, count: number) => {
    const seen: (number | null)[] = [];
    let cursor = "";
    while (seen.length < count) {
      const { value } = await changes.next();
      if (value?.kind !== "CALLS") continue;
      seen.push(...value.calls.map(({ rows }) => rows));
      cursor = value.cursor;
    }
    return { seen, cursor };
  };

  it("reports every call of several processes once, and continues after a cursor", async () => {
    const watch = (from?: string) =>
      watchMcpCalls(test.service, every, { from, signal: stop.signal });
    const changes = watch("0");
    for (let rows = 0; rows < 600; rows += 1) {
      journals[rows % 2]?.record({ ...call, rows });
      if (rows % 100 === 99) await Promise.all(journals.map((journal) => journal.idle()));
    }
    const first = await take(changes, 200);
    const rest = await take(changes, 400);
    expect([...first.seen, ...rest.seen].sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 600 }, (_, index) => index),
    );
    const again = await take(watch(first.cursor), 400);
    expect(again.seen).toEqual(rest.seen);
  });

  it("begins with the calls from now on, and reports those that pass its filter", async () => {
    journals[0]?.record({ ...call, rows: 1 });
    await journals[0]?.idle();
    const changes = watchMcpCalls(
      test.service,
      { ...every, outcome: "REFUSED" },
      { from: undefined, signal: stop.signal },
    );
    expect((await changes.next()).value).toMatchObject({ kind: "CALLS", calls: [] });
    journals[1]?.record({ ...call, rows: 2 });
    journals[1]?.record({ ...call, rows: 3, outcome: "REFUSED", code: "ACTION_DENIED" });
    await journals[1]?.idle();
    expect((await take(changes, 1)).seen).toEqual([3]);
  });

  it("misses no call of a transaction that commits late", async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let isWritten = () => {};
    const written = new Promise<void>((resolve) => {
      isWritten = resolve;
    });
    const changes = watchMcpCalls(test.service, every, { from: "0", signal: stop.signal });
    const slow = test.service.transaction(async (transaction) => {
      const journal = openJournal(transaction);
      journal.record({ ...call, rows: 1 });
      await journal.idle();
      isWritten();
      await finished;
    });
    await written;
    journals[1]?.record({ ...call, rows: 2 });
    const later = journals[1]?.idle();
    finish();
    await Promise.all([slow, later]);
    expect((await take(changes, 2)).seen).toEqual([1, 2]);
  });
});
