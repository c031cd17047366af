// Tier: all. Starts processes.
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@rowhouse/db";
import {
  type AppProcess,
  createTestDatabase,
  hasStockPostgres,
  type StockPostgres,
  signIn,
  startApp,
  startStockPostgres,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../../cli/test/run-cli.ts";
import { createClient } from "./client.ts";
import { downloadFile, uploadFile } from "./files.ts";

const logins = new URL("../../../infra/postgres/logins.sql", import.meta.url);
const triggers = new URL("../../../infra/postgres/event-triggers.sql", import.meta.url);
const secret = "a secret of the tests' own, long enough";

/** Objects that a user's schema has, beyond a table: of the service's login, and of another one. */
const objectsOfUsers = [
  "create schema shop authorization rowhouse_service",
  "create extension pg_trgm",
  "comment on extension pg_trgm is 'ours'",
  "create type shop.size as enum ('S', 'L')",
  `create table shop.items (id bigint generated always as identity primary key, size shop.size not null,
     creator uuid references system.users)`,
  "insert into shop.items (size) values ('S'), ('L')",
  "create view shop.large as select id from shop.items where size = 'L'",
  "create materialized view shop.counted as select count(*) from shop.items",
  "alter table shop.items owner to rowhouse_service",
  "alter view shop.large owner to rowhouse_service",
  "alter materialized view shop.counted owner to rowhouse_service",
  "alter type shop.size owner to rowhouse_service",
  "grant select on shop.items to reporting",
  "create table public.ledger (id int primary key)",
  "insert into public.ledger values (7)",
  "alter table public.ledger owner to bookkeeping",
  "grant select on public.ledger to rowhouse_service",
];

describe.runIf(hasStockPostgres())("rowhouse backup and rowhouse restore", () => {
  let server: StockPostgres;
  let folder: string;
  let file = "";
  const apps: AppProcess[] = [];

  const run = async (database: string, ...texts: readonly string[]) => {
    const pool = openDatabase({
      url: server.url(database),
      applicationName: "dba",
      connectionsMax: 1,
    });
    let rows: object[] = [];
    for (const text of texts) rows = await pool.query(text);
    await pool.close();
    return rows;
  };
  const urlOf = (database: string, login: string) => {
    const url = new URL(server.url(database));
    [url.username, url.password] = [login, "change-me"];
    return url.href;
  };
  /** The variables of a service with three logins; each database has a data directory, and so files, of its own. */
  const variables = (database: string) => ({
    DATABASE_URL: urlOf(database, "rowhouse_service"),
    MIGRATIONS_DATABASE_URL: urlOf(database, "rowhouse_owner"),
    SYSTEM_DATABASE_URL: urlOf(database, "rowhouse_system"),
    ROWHOUSE_DATA_DIR: join(folder, database),
  });
  const backup = (to: string, more = {}) =>
    runCli(["backup", "--to", join(folder, to)], { ...variables("rowhouse"), ...more });
  const restore = (database: string, more = {}) =>
    runCli(["restore", "--from", join(folder, "monday")], { ...variables(database), ...more });
  const start = async (database: string, more = {}) => {
    const app = await startApp("standalone", {
      ...variables(database),
      ...more,
      LOG_LEVEL: "info",
      ROWHOUSE_SECRET: "",
      ROWHOUSE_ADMIN_EMAIL: signIn.email,
      ROWHOUSE_ADMIN_PASSWORD: signIn.password,
    });
    apps.push(app);
    const client = createClient(app);
    const as = await client.signIn(signIn);
    return {
      app,
      as,
      ask: (method: string, path: string, data?: object) =>
        client.ask(method, path, { as, ...(data === undefined ? {} : { body: { data } }) }),
    };
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "rowhouse-backup-"));
    server = await startStockPostgres();
    await mkdir(join(folder, "rowhouse"));
    await writeFile(join(folder, "rowhouse", "secret"), `${secret}\n`);
    const statements = (await readFile(logins, "utf8")).split(/;\n/);
    await run("postgres", ...statements.filter((text) => /^[a-z]/m.test(text)));
    await run("postgres", "create role reporting", "create role bookkeeping");
    const { app, as, ask } = await start("rowhouse");
    await run("rowhouse", await readFile(triggers, "utf8"), ...objectsOfUsers);
    const made = await ask("POST", "/admin/api/schema/public/tables", {
      name: "ops",
      columns: [
        { name: "id", dataType: "bigint", identity: "ALWAYS", primaryKey: true },
        { name: "note", dataType: "text" },
      ],
    });
    const { resourceId } = made.body.data;
    await ask("PATCH", `/admin/api/resources/${resourceId}`, { exposedMethods: ["GET", "POST"] });
    expect((await ask("POST", "/api/public/table/ops", { note: "kept" })).status).toBe(201);
    const resources = await ask("GET", "/admin/api/resources");
    const { id } = resources.body.data.find((each: { name: string }) => each.name === "files");
    await ask("PATCH", `/admin/api/resources/${id}`, { exposedMethods: ["GET", "POST"] });
    file = await uploadFile(app, as, "kept.txt", "bytes of a file");
    // While the service runs.
    const { code, stdout, stderr } = await backup("monday");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/the database as of 2.*Z, 1 objects of files \(15 bytes\), and the sec/);
    await app.stop();
  }, 200_000);
  afterAll(async () => {
    for (const app of apps) await app.stop();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("restores with three logins a service that serves as the original did", async () => {
    await run("postgres", "create database restored owner rowhouse_owner");
    // A role that the other server does not have.
    await run("postgres", "alter role reporting rename to reports");
    const { code, stdout, stderr } = await restore("restored");
    await run("postgres", "alter role reports rename to reporting");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain('Not restored: could not execute query: ERROR:  role "reporting"');
    expect(stdout).toContain(`Wrote the secret to ${join(folder, "restored", "secret")}.`);
    const { app, as, ask } = await start("restored");
    expect((await ask("GET", "/api/public/table/ops")).body.data).toEqual([
      { id: "1", note: "kept" },
    ]);
    expect((await ask("POST", "/api/public/table/ops", { note: "new" })).status).toBe(201);
    const altered = await ask("PATCH", "/admin/api/schema/public/tables/ops", {
      changes: [{ kind: "addColumn", name: "more", dataType: "text" }],
    });
    expect(altered.status).toBe(200);
    expect(await downloadFile(app, as, file)).toEqual([200, "bytes of a file"]);
    expect(app.output()).not.toContain("may not read");
    await app.stop();
    const owners = `select n.nspname || '.' || c.relname as name, pg_get_userbyid(c.relowner) as owner
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'v', 'm') and (n.nspname in ('public', 'shop') or c.relname = 'users') order by 1`;
    expect(await run("restored", owners)).toEqual([
      { name: "public.ledger", owner: "rowhouse_service" },
      { name: "public.ops", owner: "rowhouse_service" },
      { name: "shop.counted", owner: "rowhouse_service" },
      { name: "shop.items", owner: "rowhouse_service" },
      { name: "shop.large", owner: "rowhouse_service" },
      { name: "system.users", owner: "rowhouse_owner" },
    ]);
    expect(await run("restored", "select id::text from shop.large")).toEqual([{ id: "2" }]);
    const rights = `select has_table_privilege('rowhouse_service', 'system.sessions', 'insert') as may,
      pg_get_userbyid(proowner) as owner from pg_proc where proname = 'as_service'`;
    expect(await run("restored", rights)).toEqual([{ may: false, owner: "rowhouse_service" }]);
  }, 100_000);

  it("restores with two logins what three have left, and says what code of the database may do then", async () => {
    await run("postgres", "create database opened owner rowhouse_owner");
    const more = { SYSTEM_DATABASE_URL: "" };
    const { code, stdout } = await restore("opened", more);
    expect(code).toBe(0);
    expect(stdout).toContain("SYSTEM_DATABASE_URL is missing, and the original service had it:");
    const { app, ask } = await start("opened", more);
    expect(app.output()).toContain("can act as an administrator");
    expect((await ask("GET", "/api/public/table/ops")).status).toBe(200);
    await app.stop();
    expect(await run("opened", "select from pg_proc where proname = 'as_service'")).toEqual([]);
  }, 100_000);

  it("keeps every owner, privilege and event trigger if a superuser restores", async () => {
    await run("postgres", "create database kept owner rowhouse_owner");
    const alone = { ...variables("kept"), MIGRATIONS_DATABASE_URL: "", SYSTEM_DATABASE_URL: "" };
    const args = ["restore", "--from", join(folder, "monday")];
    const restored = await runCli(args, { ...alone, DATABASE_URL: server.url("kept") });
    expect([restored.code, restored.stderr]).toEqual([0, ""]);
    const facts = `select (select pg_get_userbyid(relowner) from pg_class where oid = 'public.ledger'::regclass) as ledger,
      has_table_privilege('reporting', 'shop.items', 'select')::text as granted,
      (select string_agg(evtname || evtenabled::text, ' ' order by evtname) from pg_event_trigger) as triggers`;
    expect(await run("kept", facts)).toEqual([
      {
        ledger: "bookkeeping",
        granted: "true",
        triggers: "rowhouse_after_ddlA rowhouse_after_dropA",
      },
    ]);
  }, 100_000);

  it("a start says by name which exposed tables a restore has put out of its reach", async () => {
    await run("kept", "alter table public.ops owner to bookkeeping");
    await run("kept", "revoke all on public.ops from rowhouse_service");
    const { app, ask } = await start("kept");
    expect(app.output()).toContain("may not read");
    expect(app.output()).toContain("public.ops");
    expect((await ask("GET", "/api/public/table/ops")).status).toBe(403);
    await app.stop();
  }, 100_000);

  it("refuses a database, files or a secret that are in use, and changes nothing", async () => {
    const refused = async (database: string, more = {}) => {
      const { code, stdout, stderr } = await restore(database, more);
      expect([code, stdout]).toEqual([1, ""]);
      return stderr;
    };
    expect(await refused("rowhouse", { ROWHOUSE_DATA_DIR: join(folder, "new") })).toMatch(
      "The database rowhouse is not empty: create a new one",
    );
    await run("postgres", "create database empty owner rowhouse_owner");
    expect(await refused("empty", { ROWHOUSE_DATA_DIR: join(folder, "rowhouse") })).toMatch(
      /The storage of files .* is not empty: name a new one/,
    );
    expect(await refused("empty", { ROWHOUSE_SECRET: `${secret}, but another` })).toMatch(
      "differs from the secret of the backup",
    );
    expect(await refused("empty", { DATABASE_URL: "" })).toMatch("DATABASE_URL is missing");
    expect(
      await refused("empty", { MIGRATIONS_DATABASE_URL: "", SYSTEM_DATABASE_URL: "" }),
    ).toMatch(/rowhouse_service.*The database is incomplete|permission denied/);
    const { stderr } = await runCli(["restore", "--from", folder], variables("empty"));
    expect(stderr).toBe(`rowhouse: ${folder} is not a backup that this version can restore.\n`);
  }, 100_000);

  it("leaves no folder if a login may not read a table, and names the table", async () => {
    await run("rowhouse", "revoke select on public.ledger from rowhouse_service");
    const { code, stderr } = await backup("tuesday");
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/permission denied for table ledger/),
    ]);
    expect((await readdir(folder)).filter((name) => name.startsWith("tuesday"))).toEqual([]);
    await run("rowhouse", "grant select on public.ledger to rowhouse_service");
    expect((await backup("monday")).stderr).toMatch(/monday exists: name a new folder/);
    const without = await backup("tuesday", { ROWHOUSE_DATA_DIR: join(folder, "none") });
    expect(without.stderr).toMatch("ROWHOUSE_SECRET is missing");
  }, 100_000);

  it("says which objects of files the storage has lost, and shows nobody the backup", async () => {
    const files = join(folder, "rowhouse", "files");
    const objects = (await readdir(files, { recursive: true, withFileTypes: true })).filter(
      (entry) => entry.isFile(),
    );
    const [object] = objects;
    if (object === undefined) throw new Error("The storage has no object");
    const path = join(object.parentPath, object.name);
    const bytes = await readFile(path);
    await rm(path);
    const { code, stderr } = await backup("wednesday");
    await writeFile(path, bytes);
    expect(code).toBe(1);
    expect(stderr).toContain("no object for 1 files that the database names: objects/");
    expect((await stat(join(folder, "wednesday"))).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, "wednesday", "secret"))).mode & 0o777).toBe(0o600);
  }, 100_000);

  it("stops before anything is written if pg_dump is older than the server, and names the package", async () => {
    const newer = await createTestDatabase();
    const database = openDatabase({ url: newer.url, applicationName: "test", connectionsMax: 1 });
    const [row] = await database.query<{ version: string }>(
      "select (current_setting('server_version_num')::integer / 10000)::text as version",
    );
    await database.close();
    const own = Number((await server.run("pg_dump", "--version")).match(/\) (\d+)/)?.[1]);
    const { code, stderr } = await runCli(["backup", "--to", join(folder, "thursday")], {
      DATABASE_URL: newer.url,
      ROWHOUSE_SECRET: secret,
      ROWHOUSE_DATA_DIR: join(folder, "thursday-data"),
    });
    if (own < Number(row?.version)) {
      expect([code, stderr]).toEqual([
        1,
        `rowhouse: pg_dump has version ${own}, and this needs ${row?.version}: install postgresql-client-${row?.version}, or a newer one, and put its programs on the PATH.\n`,
      ]);
    } else {
      expect(code).toBe(0);
    }
    await newer.drop();
  }, 60_000);
});
