// Tier: long. Starts processes.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "@rowhouse/db";
import { type LocalPostgres, startLocalPostgres } from "@rowhouse/local-postgres";
import { type AppProcess, installationSecret, signIn, startApp } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "./client.ts";

// On a separate server, because a full lock table affects all its databases.
let folder: string;
let server: LocalPostgres;
let app: AppProcess;
let client: Client;
let database: Database;
let session = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rowhouse-locks-"));
  await chmod(folder, 0o755);
  server = await startLocalPostgres({
    directory: join(folder, "state"),
    durable: false,
    settings: { max_connections: "120" },
  });
  database = openDatabase({ url: server.url, applicationName: "test", connectionsMax: 3 });
  await database.query(
    "create table public.vans (id int primary key); insert into public.vans values (1)",
  );
  app = await startApp("standalone", {
    DATABASE_URL: server.url,
    DATABASE_CONNECTIONS: "6",
    ROWHOUSE_SECRET: installationSecret,
    ROWHOUSE_ADMIN_EMAIL: signIn.email,
    ROWHOUSE_ADMIN_PASSWORD: signIn.password,
  });
  client = createClient(app);
  session = await client.signIn(signIn);
  const resources = await ask("GET", "/admin/api/resources?search=vans");
  const path = `/admin/api/resources/${resources.body.data[0].id}`;
  await ask("PATCH", path, { exposedMethods: ["GET"] });
  // The login of the console is created.
  expect((await run("select 1")).status).toBe(200);
});
afterAll(async () => {
  await app?.stop();
  await database?.close();
  await server?.stop();
  await rm(server.place, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

const ask = (method: string, path: string, data?: unknown) =>
  client.ask(method, path, { as: session, ...(data === undefined ? {} : { body: { data } }) });
const run = (sql: string) => ask("POST", "/admin/api/sql", { sql, timeoutMs: 60_000 });
const read = async () => (await ask("GET", "/api/public/table/vans")).status;
const untilHeld = (condition: string) =>
  expect
    .poll(() => database.query(`select 1 from pg_locks where granted and ${condition}`))
    .not.toEqual([]);

test("twenty runs of the SQL console that wait for a lock leave the Data API its connections", async () => {
  const key = "sql_console.max_runs";
  const settings = await ask("PATCH", "/admin/api/settings", { [key]: 40 });
  expect(settings.status).toBe(200);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holding = database.transaction(async (transaction) => {
    // Keys of the service, and the table of the console's runs.
    await transaction.query(
      "select pg_advisory_xact_lock(k) from unnest('{7723118203,7723118204,7723118207}'::bigint[]) k",
    );
    await transaction.query("lock table system.sql_console_runs in exclusive mode");
    await released;
  });
  await untilHeld("relation = 'system.sql_console_runs'::regclass and mode = 'ExclusiveLock'");
  const waiting = Array.from({ length: 20 }, () => run("select 1"));
  const waitingSessions = () =>
    database.query(
      "select distinct application_name from pg_stat_activity where wait_event_type = 'Lock'",
    );
  await expect.poll(waitingSessions).not.toEqual([]);
  // None of the pool that requests share.
  expect(await waitingSessions()).toEqual([{ application_name: "sql-console-runs" }]);
  const statuses = await Promise.all(Array.from({ length: 50 }, read));
  expect(new Set(statuses)).toEqual(new Set([200]));
  release();
  await holding;
  const answers = await Promise.all(waiting);
  // A request that waited too long gets Retry-After.
  for (const { status, headers } of answers) {
    if (status === 200) continue;
    expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
  }
  expect((await run("select 1")).status).toBe(200);
  await ask("PATCH", "/admin/api/settings", { [key]: null });
});

test("a run whose table lock delays requests is ended, and the requests succeed", async () => {
  const locked = run("lock table public.vans in access exclusive mode; select pg_sleep(60)");
  await untilHeld("relation = 'public.vans'::regclass and mode = 'AccessExclusiveLock'");
  expect(await Promise.all([read(), read()])).toEqual([200, 200]);
  const { status, body } = await locked;
  expect([status, body.errors[0].code, body.errors[0].message]).toEqual([
    409,
    "SQL_CANCELLED",
    "Others waited longer than 3 seconds for a lock of the run; it was rolled back",
  ]);
});

test("a run whose advisory lock blocks others is ended, also within a DO block", async () => {
  const locked = run(
    "do $$ begin perform pg_advisory_lock(7723118202); perform pg_sleep(60); end $$",
  );
  await untilHeld("locktype = 'advisory'");
  const waited = database.query("select pg_advisory_lock(7723118202), pg_advisory_unlock_all()");
  expect((await locked).body.errors[0].code).toBe("SQL_CANCELLED");
  await waited;
});

test("a run that changes rows is not ended for requests that wait for one of the rows", async () => {
  const changed = ask("POST", "/admin/api/sql", {
    sql: "update public.vans set id = id where id = 1; select pg_sleep(6)",
    readOnly: false,
    timeoutMs: 60_000,
  });
  await untilHeld("relation = 'public.vans'::regclass and mode = 'RowExclusiveLock'");
  const waited = database.query("update public.vans set id = id where id = 1");
  expect((await changed).status).toBe(200);
  await waited;
});

test("a run that holds a quarter of the server's locks is ended", async () => {
  const { status, body } = await run(
    "do $$ begin perform pg_advisory_xact_lock(n) from generate_series(1, 2500) n; perform pg_sleep(60); end $$",
  );
  expect([status, body.errors[0].message]).toEqual([
    409,
    "The run held too many locks at once; it was rolled back",
  ]);
});

test("a run that fills the server's lock table fails with a message, and all others continue", async () => {
  const { status, body } = await run(
    "select count(pg_advisory_lock(n)::text) from generate_series(1, 1000000) n",
  );
  expect([status, body.errors[0].code, body.errors[0].message]).toEqual([
    400,
    "SQL_FAILED",
    "The database could not run the statement",
  ]);
  expect(await Promise.all(Array.from({ length: 20 }, read))).toEqual(
    Array.from({ length: 20 }, () => 200),
  );
  expect((await run("select 1")).status).toBe(200);
});
