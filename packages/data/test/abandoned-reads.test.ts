import { createPrincipalCache, parseSecret } from "@rowhouse/access";
import { createSnapshotStore, type Database, openDatabase, type SnapshotStore } from "@rowhouse/db";
import { settingsOf } from "@rowhouse/settings";
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDataEngine } from "../src/engine/data-engine.ts";
import { createProcessBounds } from "../src/execute/process-bounds.ts";
import { type DataEngine, parseRequest, receiveRequest } from "../src/index.ts";
import { createClient, grant, noOptions } from "./engine.ts";

let test: TestDatabase;
let user: TestUser;
let engine: DataEngine;
let snapshots: SnapshotStore;
/** A pool of one connection, so that statements wait for each other. */
let narrow: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  const client = createClient(test.database);
  const roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  await test.database.query(
    "create view endless as select count(*) as n from generate_series(1, 1000000000000) a where a % 7 = 0",
  );
  await test.database.query("create table quick (id int primary key)");
  await test.database.query("insert into quick values (1)");
  for (const name of ["endless", "quick"]) {
    await expose(test.database, "public", name, "GET");
    await grant(test.database, client.snapshots, roleId, `public/${name}`, { action: "READ" });
  }
  narrow = openDatabase({
    ...{ url: test.url, applicationName: "abandoned", connectionsMax: 1, waitMs: 60_000 },
  });
  snapshots = createSnapshotStore(test.database);
  engine = createDataEngine({
    database: narrow,
    snapshots,
    principals: createPrincipalCache(test.database, { record: () => {} }),
    bounds: createProcessBounds(),
  });
});
afterAll(async () => {
  await narrow.close();
  await test.drop();
});

const ask = async (name: string, kind: "TABLE" | "VIEW", signal?: AbortSignal) => {
  const credential = parseSecret(user.secret);
  if (credential === undefined) throw new Error("not a secret");
  const target = { schema: "public", name, kind };
  const parts = { target, id: null, method: "GET", query: "" } as const;
  const request = receiveRequest(parseRequest, {
    ...{ parts, options: noOptions, timeZone: null, bodyBytes: 0, isTimed: false },
    settings: settingsOf(await snapshots.current()),
    isAbandoned: () => signal?.aborted === true,
  });
  const caller = { kind: "CREDENTIAL", credential } as const;
  return (await engine.answer(request, caller)).status;
};
/** The number of active statements that PostgreSQL executes for the narrow pool. */
const busy = async (): Promise<number> => {
  const rows = await test.database.query(
    "select from pg_stat_activity where application_name = 'abandoned' and state = 'active' and query like '%endless%'",
  );
  return rows.length;
};

describe("a list whose caller disconnects", () => {
  it("PostgreSQL cancels the list of a caller that disconnects and executes the statements queued behind it", async () => {
    expect(await ask("quick", "TABLE")).toBe(200);
    const leaving = new AbortController();
    const abandoned = ask("endless", "VIEW", leaving.signal).catch(
      (error: unknown) => (error as { code?: string }).code,
    );
    await expect.poll(busy).toBe(1);
    const behind = Array.from({ length: 5 }, () => ask("quick", "TABLE"));
    leaving.abort();
    expect(await abandoned).toBe("SERVICE_UNAVAILABLE");
    expect(await Promise.all(behind)).toEqual([200, 200, 200, 200, 200]);
    expect(await busy()).toBe(0);
  });

  it("a list whose caller disconnects before its turn is not sent", async () => {
    const first = new AbortController();
    const running = ask("endless", "VIEW", first.signal).catch(() => "ended");
    await expect.poll(busy).toBe(1);
    const leaving = AbortSignal.abort();
    await expect(ask("endless", "VIEW", leaving)).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
    first.abort();
    expect(await running).toBe("ended");
    expect(await busy()).toBe(0);
  });

  it("a late disconnect cancels no statement of another caller on the same connection", async () => {
    const ended = new AbortController();
    expect(await ask("quick", "TABLE", ended.signal)).toBe(200);
    const other = new AbortController();
    const running = ask("endless", "VIEW", other.signal).catch(() => "ended");
    await expect.poll(busy).toBe(1);
    ended.abort();
    // Longer than the delay before an abandoned statement is canceled.
    await test.database.query("select pg_sleep(1.5)");
    expect(await busy()).toBe(1);
    other.abort();
    expect(await running).toBe("ended");
  });
});
