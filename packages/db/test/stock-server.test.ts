// Tier: long. Starts processes; changed-sessions.test.ts is in every run.
import {
  hasPgBouncer,
  hasStockPostgres,
  type StockPostgres,
  startPgBouncer,
  startStockPostgres,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalogueSql } from "../src/catalogue/catalogue-sql.ts";
import {
  connectDatabase,
  createSnapshotStore,
  type Database,
  migrate,
  openDatabase,
  openSqlSession,
  startDatabase,
} from "../src/index.ts";
import { directSettings, ownSettings, reportedSettings } from "../src/session-settings.ts";

/** Settings that an administrator of the server may have made for the database, each unlike the default. */
const hostile: Readonly<Record<string, string>> = {
  TimeZone: "Asia/Kolkata",
  DateStyle: "German",
  IntervalStyle: "postgres_verbose",
  standard_conforming_strings: "off",
  extra_float_digits: "-10",
  bytea_output: "escape",
  xmlbinary: "hex",
  xmloption: "document",
  array_nulls: "off",
  timezone_abbreviations: "Australia",
  quote_all_identifiers: "on",
  transform_null_equals: "on",
  gin_fuzzy_search_limit: "5",
  row_security: "off",
  default_transaction_isolation: "serializable",
  lock_timeout: "1ms",
  exit_on_error: "on",
  idle_session_timeout: "100ms",
  idle_in_transaction_session_timeout: "100ms",
  statement_timeout: "1ms",
  client_min_messages: "error",
  jit_above_cost: "0",
};

// Debian's server has LLVM, and its defaults are those of initdb.
describe.runIf(hasStockPostgres())("on a server of the distribution", () => {
  let server: StockPostgres;
  let url = "";
  let database: Database;

  const create = async (name: string): Promise<string> => {
    const maintenance = openDatabase({
      url: server.url(),
      applicationName: "test",
      connectionsMax: 1,
    });
    await maintenance.query(`create database ${name}`);
    await maintenance.close();
    return server.url(name);
  };
  const settingsOf = async (query: Database["query"], names: readonly string[]) => {
    const rows = await query<{ name: string; setting: string }>(
      "select e.name, current_setting(e.name) as setting from unnest($1::text[]) e (name)",
      [`{${names.join(",")}}`],
    );
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  };

  beforeAll(async () => {
    server = await startStockPostgres();
    url = await create("hostile");
    database = openDatabase({ url, applicationName: "test" });
    for (const [name, value] of Object.entries(hostile)) {
      await database.query(`alter database hostile set ${name} = '${value}'`);
    }
    await database.close();
    database = openDatabase({ url, applicationName: "test" });
  });
  afterAll(async () => {
    await database?.close();
    await server?.stop();
  });

  it("every session has the settings of the service, regardless of the database's settings", async () => {
    expect(Object.keys(hostile)).toEqual(
      expect.arrayContaining(Object.keys(directSettings).filter((name) => name !== "jit")),
    );
    const names = Object.keys(directSettings);
    expect(await settingsOf(database.query, names)).toEqual(directSettings);
    const inTransaction = await database.transaction((transaction) =>
      settingsOf(transaction.query, names),
    );
    expect(inTransaction).toEqual(directSettings);
    // The session is cleared afterwards.
    await database.query("do $$ begin set time zone 'Asia/Tokyo'; end $$");
    expect(await settingsOf(database.query, names)).toEqual(directSettings);
    const streamed: unknown[] = [];
    const rows = database.stream(
      "select name, current_setting(name) from unnest($1::text[]) e (name)",
      [`{${names.join(",")}}`],
      { timeoutMs: 10_000 },
    );
    for await (const batch of rows) streamed.push(...batch);
    expect(streamed).toEqual(Object.entries(directSettings));
    const session = openSqlSession({
      url,
      applicationName: "test",
      connectTimeoutMs: 10_000,
      statementBytesMax: 1_000_000,
      statementTimeoutMs: 10_000,
      onNotice: () => {},
    });
    expect(await settingsOf(session.query, names)).toEqual(directSettings);
    await session.close();
  });

  it("no statement of the service is compiled, at any cost", async () => {
    const explained = await database.query<Record<string, string>>(
      "explain (analyze) select sum(n::numeric) from generate_series(1, 1000) n",
    );
    const plan = explained.map((row) => Object.values(row)[0]).join("\n");
    expect(plan).toContain("Aggregate");
    expect(plan).not.toContain("JIT");
  });

  it("a database with hostile defaults can be migrated and its catalogue read", async () => {
    await migrate(database);
    await database.query(
      "create table public.kept (id int primary key, note text default 'a\\b', tags text[] default '{null}')",
    );
    const snapshot = await createSnapshotStore(database).current();
    const kept = snapshot.catalogue.relationByName("public", "kept");
    expect(kept?.columns.map(({ name, type }) => [name, type.name])).toEqual([
      ["id", "integer"],
      ["note", "text"],
      ["tags", "text[]"],
    ]);
    await database.query("insert into public.kept (id) values (1)");
    expect(await database.query("select note, tags::text as tags from public.kept")).toEqual([
      { note: "a\\b", tags: "{NULL}" },
    ]);
  });

  it("a start on a standby fails with the reason", async () => {
    const standby = await startStockPostgres({ isStandby: true });
    const place = new URL(standby.url());
    await expect(
      startDatabase({ url: standby.url(), applicationName: "test", connectionsMax: 6 }),
    ).rejects.toThrow(
      `The database at ${place.host}/postgres is read-only, because its server is a standby: DATABASE_URL must name the primary.`,
    );
    await standby.stop();
  });

  describe.runIf(hasPgBouncer())("behind PgBouncer", () => {
    it("every transaction has the settings of the service, regardless of the login's", async () => {
      // The server would end the pooler's own idle sessions, and on a busy machine also one whose BEGIN takes 1 ms: that
      // statement comes before the first one that sets anything.
      for (const setting of ["idle_session_timeout = 0", "statement_timeout = '1s'"]) {
        await database.query(`alter role rowhouse in database hostile set ${setting}`);
      }
      const pooler = await startPgBouncer(url, 2);
      const pooled = await connectDatabase({
        url: pooler.urlOf(url),
        directUrl: url,
        applicationName: "pooled",
        prepare: false,
      });
      const expected = { ...reportedSettings, ...ownSettings };
      const names = Object.keys(expected);
      expect(await settingsOf(pooled.query, names)).toEqual(expected);
      expect(
        await pooled.transaction((transaction) => settingsOf(transaction.query, names)),
      ).toEqual(expected);
      const [own] = await pooled.query<{ isolation: string }>(
        "select current_setting('transaction_isolation') as isolation",
      );
      expect(own?.isolation).toBe("read committed");
      await pooled.close();
      await pooler.stop();
    });
  });

  it("a catalogue of 600 tables costs less than the threshold of compilation", async () => {
    const place = await create("large");
    const large = openDatabase({
      url: place,
      applicationName: "test",
      statementTimeoutMs: 120_000,
    });
    await migrate(large);
    await large.transaction(async (transaction) => {
      for (let index = 0; index < 600; index += 1) {
        const parent = index === 0 ? "" : `references public.t${index - 1}`;
        await transaction.query(
          `create table public.t${index} (id uuid primary key default gen_random_uuid(), code text not null unique,
             amount numeric(12,2) check (amount > 0), at timestamptz, meta jsonb, day date, tags text[], span tstzrange,
             parent_id uuid ${parent})`,
        );
      }
    });
    for (const statistics of ["none", "analyzed"]) {
      if (statistics === "analyzed") await large.query("analyze");
      for (const fingerprints of [false, true]) {
        const plans = await large.transaction(async (transaction) => {
          await transaction.query("set local jit = on");
          const text = catalogueSql("ALL")
            .replaceAll("$1", `'${fingerprints}'`)
            .replaceAll("$2", "'true'");
          return transaction.query<Record<string, string>>(`explain (analyze) ${text}`);
        });
        const lines = plans.map((row) => Object.values(row)[0] ?? "");
        expect(lines.some((line) => line.includes("JIT"))).toBe(false);
        const [threshold] = await large.query<{ cost: string }>(
          "select current_setting('jit_above_cost') as cost",
        );
        expect(threshold?.cost).toBe("100000");
        expect(Number(/\.\.([\d.]+) rows/.exec(lines[0] ?? "")?.[1])).toBeLessThan(75_000);
      }
    }
    await large.close();
  });
});
