// Tier: all. Starts processes.
import {
  createTestDatabase,
  hasPgBouncer,
  hasStockPostgres,
  type PgBouncerServer,
  startPgBouncer,
  startStockPostgres,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectDatabase, type Database, openDatabase, toAppError } from "../src/index.ts";

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "DONE",
    (error: unknown) => toAppError(error).code,
  );

const places = hasPgBouncer() ? [false, true] : [false];
describe.each(places)("sessions that change after the start, behind a pooler: %s", (isPooled) => {
  let test: TestDatabase;
  let pooler: PgBouncerServer | undefined;
  let database: Database;
  const open = () =>
    connectDatabase({
      url: pooler?.urlOf(test.url) ?? test.url,
      ...(isPooled ? { directUrl: test.url, prepare: false } : {}),
      applicationName: "changed",
      connectionsMax: 2,
    });

  beforeAll(async () => {
    test = await createTestDatabase({ login: "service" });
    if (isPooled) pooler = await startPgBouncer(test.url, 1);
    await test.database.query(
      "create table public.parents (id int primary key); create table public.children (id int, parent int references public.parents)",
    );
    const login = decodeURIComponent(new URL(test.url).username);
    await test.database.query(`grant all on all tables in schema public to "${login}"`);
  });
  beforeEach(async () => {
    database = await open();
  });
  afterEach(async () => {
    await setForAll("session_replication_role", null);
    await setForAll("default_transaction_read_only", null);
    await endSessions();
    await database.close();
  });
  afterAll(async () => {
    await pooler?.stop();
    await test.drop();
  });

  async function setForAll(name: string, value: string | null): Promise<void> {
    const place = new URL(test.url).pathname.slice(1);
    const change = value === null ? `reset ${name}` : `set ${name} = ${value}`;
    await test.database.query(`alter database "${place}" ${change}`);
  }

  /** Ends all sessions of the service; the next statement opens new ones. */
  async function endSessions(): Promise<void> {
    await test.database.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and usename = $1::text`,
      [decodeURIComponent(new URL(test.url).username)],
    );
  }

  const orphan = "insert into public.children values (1, 99)";

  it("no new connection serves that skips triggers and foreign keys", async () => {
    await setForAll("session_replication_role", "replica");
    await endSessions();
    const insert = () => codeOf(database.query(orphan));
    // The first statement may still get the end of its old connection.
    await expect.poll(() => codeOf(database.query("select 1"))).toBe("SERVICE_UNAVAILABLE");
    const outcomes = [
      ...(await Promise.all([insert(), insert(), insert()])),
      await codeOf(database.transaction((transaction) => transaction.query(orphan))),
      await codeOf(database.stage((transaction) => transaction.query(orphan), { timeoutMs: 9000 })),
      await codeOf(database.stream("select 'a'", [], { timeoutMs: 9000 }).next()),
      await codeOf(database.listen("somewhere", () => {})),
    ];
    expect(outcomes).toEqual(outcomes.map(() => "SERVICE_UNAVAILABLE"));
    expect(await database.health()).toMatchObject({ database: false });
    await setForAll("session_replication_role", null);
    await expect.poll(() => codeOf(database.query("select 1"))).toBe("DONE");
    expect(await insert()).toBe("FOREIGN_KEY_VIOLATION");
    const rows = await test.database.query("select from public.children");
    expect(rows).toHaveLength(0);
  });

  it("a database that is made read-only refuses writes, and not reads", async () => {
    await setForAll("default_transaction_read_only", "on");
    await endSessions();
    const insert = "insert into public.parents values (1)";
    await expect.poll(() => codeOf(database.query("select 1"))).toBe("DONE");
    expect(await codeOf(database.query(insert))).toBe("SERVICE_UNAVAILABLE");
    expect(await codeOf(database.transaction((on) => on.query(insert)))).toBe(
      "SERVICE_UNAVAILABLE",
    );
  });

  it.runIf(isPooled)("what another client left in the session has no effect", async () => {
    const other = openDatabase({
      url: pooler?.urlOf(test.url) ?? "",
      directUrl: test.url,
      prepare: false,
      applicationName: "other",
      connectionsMax: 1,
    });
    const settings = {
      default_transaction_read_only: "on",
      default_text_search_config: "pg_catalog.german",
      lc_monetary: "C",
      synchronous_commit: "off",
      default_transaction_isolation: "serializable",
    };
    const names = Object.keys(settings);
    const read = (on: Pick<Database, "query">) =>
      on.query<{ found: string }>(
        `select string_agg(current_setting(name), ' ') as found from unnest($1::text::text[]) name`,
        [`{${names.join(",")}}`],
      );
    const before = await read(database);
    for (const [name, value] of Object.entries(settings)) {
      await other.query(`do $$ begin set ${name} = '${value}'; end $$`, [], { runsCode: false });
    }
    await other.close();
    expect(await read(database)).toEqual(before);
    expect(await database.transaction(read)).toEqual(before);
    expect(await codeOf(database.query("insert into public.parents values (2)"))).toBe("DONE");
    expect(
      await codeOf(database.transaction((on) => on.query("insert into public.parents values (3)"))),
    ).toBe("DONE");
    expect(await codeOf(database.query("select system.clock()"))).toBe("DONE");
  });

  it.runIf(isPooled)("a start tries whether the pooler keeps prepared statements", async () => {
    const own = await startPgBouncer(test.url, 3);
    const start = (prepare: boolean) =>
      connectDatabase({
        url: own.urlOf(test.url),
        directUrl: test.url,
        applicationName: "prepared",
        prepare,
      });
    await expect(start(true)).rejects.toThrow(/does not keep the prepared statements/);
    await (await start(false)).close();
    await own.stop();
    // In this mode a client keeps its session.
    const kept = await startPgBouncer(test.url, 3, { pool_mode: "session" });
    const keeping = await connectDatabase({
      url: kept.urlOf(test.url),
      directUrl: test.url,
      applicationName: "kept",
    });
    await keeping.close();
    await kept.stop();
  });
});

describe.runIf(hasStockPostgres())("a server whose configuration changes while it runs", () => {
  it("its open sessions are replaced by ones that fail, until it is corrected", async () => {
    const server = await startStockPostgres();
    const database = await connectDatabase({ url: server.url(), applicationName: "reloaded" });
    expect(await database.health()).toEqual({ database: true });
    const set = async (value: string) => {
      const owner = openDatabase({ url: server.url(), applicationName: "owner" });
      await owner.query(`alter system set session_replication_role = '${value}'`);
      await owner.query("select pg_reload_conf()");
      await owner.close();
    };
    await set("replica");
    await expect.poll(() => database.health()).toEqual({ database: false });
    await expect.poll(() => codeOf(database.query("select 1"))).toBe("SERVICE_UNAVAILABLE");
    await server.stop();
    await database.close();
  });
});
