// Tier: all. Starts processes.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@rowhouse/db";
import {
  type AppProcess,
  hasStockPostgres,
  type StockPostgres,
  signIn,
  startApp,
  startStockPostgres,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "./client.ts";

const logins = new URL("../../../infra/postgres/logins.sql", import.meta.url);
const triggers = new URL("../../../infra/postgres/event-triggers.sql", import.meta.url);

// The commands of docs/operations/backup.md, with the two logins of docs/operations/database.md.
describe.runIf(hasStockPostgres())("a dump of a database with two logins", () => {
  let server: StockPostgres;
  let folder: string;
  const apps: AppProcess[] = [];

  const run = async (database: string, ...texts: readonly string[]) => {
    const pool = openDatabase({
      url: server.url(database),
      applicationName: "dba",
      connectionsMax: 1,
    });
    for (const text of texts) await pool.query(text);
    await pool.close();
  };
  const urlOf = (database: string, login: string) => {
    const url = new URL(server.url(database));
    [url.username, url.password] = [login, "change-me"];
    return url.href;
  };
  const start = async (database: string) => {
    const app = await startApp("standalone", {
      DATABASE_URL: urlOf(database, "rowhouse_service"),
      MIGRATIONS_DATABASE_URL: urlOf(database, "rowhouse_owner"),
      ROWHOUSE_DATA_DIR: folder,
      ROWHOUSE_SECRET: "a secret of the tests' own, long enough",
      ROWHOUSE_ADMIN_EMAIL: signIn.email,
      ROWHOUSE_ADMIN_PASSWORD: signIn.password,
    });
    apps.push(app);
    const client = createClient(app);
    const as = await client.signIn(signIn);
    return {
      app,
      ask: (method: string, path: string, data?: object) =>
        client.ask(method, path, { as, ...(data === undefined ? {} : { body: { data } }) }),
    };
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "rowhouse-two-logins-"));
    server = await startStockPostgres();
    const statements = (await readFile(logins, "utf8")).split(/;\n/);
    await run("postgres", ...statements.filter((text) => /^[a-z]/m.test(text)));
    const { app, ask } = await start("rowhouse");
    await run("rowhouse", await readFile(triggers, "utf8"));
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
    const dump = ["--format=custom", "--exclude-schema=rowhouse_queue"];
    await server.run("pg_dump", ...dump, `--file=${join(folder, "dump")}`, server.url("rowhouse"));
    await app.stop();
  }, 200_000);
  afterAll(async () => {
    for (const app of apps) await app.stop();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("restored by a superuser with its owners, serves as the original did", async () => {
    await run("postgres", "create database restored owner rowhouse_owner");
    const dump = join(folder, "dump");
    await server.run("pg_restore", "--exit-on-error", `--dbname=${server.url("restored")}`, dump);
    const { app, ask } = await start("restored");
    const list = await ask("GET", "/api/public/table/ops");
    expect([list.status, list.body.data]).toEqual([200, [{ id: "1", note: "kept" }]]);
    expect((await ask("POST", "/api/public/table/ops", { note: "new" })).status).toBe(201);
    expect((await ask("GET", "/api/public/table/ops?limit=1&order_by=-id")).body.data).toEqual([
      { id: "2", note: "new" },
    ]);
    const altered = await ask("PATCH", "/admin/api/schema/public/tables/ops", {
      changes: [{ kind: "addColumn", name: "more", dataType: "text" }],
    });
    expect(altered.status).toBe(200);
    expect(app.output()).not.toContain("may not read");
    await app.stop();
  }, 100_000);

  it("restored without its owners, starts and says by name what it may not read", async () => {
    await run("postgres", "create database without owner rowhouse_owner");
    await run("without", "create schema system authorization rowhouse_owner");
    const dump = join(folder, "dump");
    const options = ["--exit-on-error", "--no-owner", "--role=rowhouse_owner", "--schema=system"];
    const place = `--dbname=${server.url("without")}`;
    await server.run("pg_restore", ...options, place, dump);
    await server.run("pg_restore", "--no-owner", "--no-acl", "--schema=public", place, dump);
    const { app, ask } = await start("without");
    expect(app.output()).toContain("may not read");
    expect(app.output()).toContain("public.ops");
    expect((await ask("GET", "/api/public/table/ops")).status).toBe(403);
    await app.stop();
  }, 100_000);
});
