// Tier: long. Starts a server of the distribution.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { migrate, openDatabase } from "@rowhouse/db";
import {
  hasStockPostgres,
  type StockPostgres,
  signIn,
  startApp,
  startStockPostgres,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "./client.ts";

// Runs the statements of docs/operations on PostgreSQL 15, or another version that the distribution has.
const operations = new URL("../../../docs/operations/", import.meta.url);
const postgres = new URL("../../../infra/postgres/", import.meta.url);
const eventTriggers = new URL("event-triggers.sql", postgres);

/** The blocks of a language on a page, in their order. */
async function blocksOf(page: string, language: "sql" | ""): Promise<string[]> {
  const text = await readFile(new URL(page, operations), "utf8");
  // Each fence, so that the end of one block does not begin the next.
  const fences = [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)];
  return fences.filter(([, , found]) => found === language).map(([, , , block = ""]) => block);
}

/** What a page's statements need in a database of the service. */
const needed: Readonly<Record<string, string>> = {
  "backup.md": "",
  "database.md":
    "create role rowhouse_service; create role rowhouse_system; create role shop_owner; create schema shop; create table shop.orders (id int)",
  "deploy.md": "",
  "retention.md": `insert into system.audit_log (occurred_at, action, target_kind)
    values (now() - interval '3 years', 'old', 'x'), (now(), 'new', 'x')`,
  "upgrade.md": "create table system.example (old int)",
};

describe.runIf(hasStockPostgres())("the pages of operations", () => {
  let server: StockPostgres;
  let count = 0;
  let url: string;
  beforeAll(async () => {
    server = await startStockPostgres();
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    count += 1;
    await psql(server.url(), `create database operations_${count}`);
    url = server.url(`operations_${count}`);
    const database = openDatabase({ url, applicationName: "test", connectionsMax: 2 });
    await migrate(database);
    await database.close();
  });

  const psql = (on: string, text: string) =>
    server.run("psql", on, "--no-psqlrc", "--quiet", "-tA", "-v", "ON_ERROR_STOP=1", "-c", text);

  it("with statements are those that are run here", async () => {
    const pages = (await readdir(operations)).filter((name) => name.endsWith(".md"));
    const found: string[] = [];
    for (const page of pages) if ((await blocksOf(page, "sql")).length > 0) found.push(page);
    expect(found.toSorted()).toEqual(Object.keys(needed));
  });

  it.each(Object.entries(needed))("%s has statements that succeed", async (page, preparation) => {
    if (preparation !== "") await psql(url, preparation);
    for (const block of await blocksOf(page, "sql")) await psql(url, block);
  });

  it.each([
    ["with", true],
    ["without", false],
  ])(
    "delete the old part of the audit log %s event triggers, and leave every guard",
    async (_with, has) => {
      const installed = "select count(*) from pg_event_trigger where evtname like 'rowhouse%'";
      await psql(url, "drop event trigger if exists rowhouse_after_ddl, rowhouse_after_drop").catch(
        () =>
          psql(
            url,
            "drop event trigger rowhouse_after_ddl; drop event trigger rowhouse_after_drop",
          ),
      );
      if (has) await psql(url, await readFile(eventTriggers, "utf8"));
      expect((await psql(url, installed)).trim()).toBe(has ? "2" : "0");
      await psql(url, needed["retention.md"] ?? "");
      for (const block of await blocksOf("retention.md", "sql")) await psql(url, block);
      expect(
        (await psql(url, "select action from system.audit_log where target_kind = 'x'")).trim(),
      ).toBe("new");
      await expect(psql(url, "delete from system.audit_log")).rejects.toThrow("append-only");
      const skipped = `select tgname from pg_trigger where tgrelid = 'system.audit_log'::regclass and not tgisinternal and tgenabled <> 'A'
      union all select evtname from pg_event_trigger where evtname like 'rowhouse%' and evtenabled <> 'A'`;
      expect((await psql(url, skipped)).trim()).toBe("");
      const removal = psql(
        url,
        "alter table system.audit_log disable trigger audit_log_append_only",
      );
      if (has) await expect(removal).rejects.toThrow("cannot be taken away");
    },
  );

  it("create the logins of compose.yaml, and with them an installation that is closed from its first start", async () => {
    const own = await startStockPostgres();
    const { port, password } = new URL(own.url());
    const place = (login: string) =>
      `postgres://rowhouse_${login}:${login}-1@127.0.0.1:${port}/rowhouse`;
    const urls = {
      DATABASE_URL: place("service"),
      SYSTEM_DATABASE_URL: place("system"),
      MIGRATIONS_DATABASE_URL: place("owner"),
    };
    const run = (more = {}) =>
      promisify(execFile)(fileURLToPath(new URL("compose-logins.sh", postgres)), {
        env: {
          ...{ PATH: process.env.PATH, PGHOST: "127.0.0.1", PGPORT: port },
          ...{ PGPASSWORD: decodeURIComponent(password), POSTGRES_USER: "rowhouse" },
          ...{ LOGINS_SQL: fileURLToPath(new URL("logins.sql", postgres)), ...urls, ...more },
        },
      });
    await expect(run({ SYSTEM_DATABASE_URL: place("sy%stem") })).rejects.toThrow(
      "The password in SYSTEM_DATABASE_URL must consist of letters",
    );
    await run();
    const app = await startApp("standalone", { ...urls, ROWHOUSE_ADMIN_PASSWORD: signIn.password });
    const client = createClient(app);
    const as = await client.signIn(signIn);
    const columns = [{ name: "id", dataType: "bigint", identity: "ALWAYS", primaryKey: true }];
    const made = await client.ask("POST", "/admin/api/schema/public/tables", {
      as,
      body: { data: { name: "mine", columns } },
    });
    expect(made.status).toBe(201);
    const closed = "select service_is_closed from system.installation";
    const database = own.url("rowhouse");
    expect((await psql(database, closed)).trim()).toBe("t");
    await psql(database, await readFile(eventTriggers, "utf8"));
    // As docs/operations/database.md shows it, while the service runs.
    const blocks = (await blocksOf("database.md", "")).filter((each) => each.includes("psql "));
    expect(blocks).toHaveLength(2);
    const path = [`/usr/lib/postgresql/${own.version.split(".")[0]}/bin`, process.env.PATH];
    for (const [block, is] of [
      [blocks[1], "f"],
      [blocks[0], "t"],
    ] as const) {
      await promisify(execFile)("bash", ["-e", "-c", block ?? "exit 1"], {
        cwd: fileURLToPath(new URL("../../../", import.meta.url)),
        env: { PATH: path.join(delimiter), SUPERUSER_URL: database },
      });
      expect((await psql(database, closed)).trim()).toBe(is);
      const row = { as, body: { data: {} } };
      await client.ask("PATCH", `/admin/api/resources/${made.body.data.resourceId}`, {
        as,
        body: { data: { exposedMethods: ["POST"] } },
      });
      expect((await client.ask("POST", "/api/public/table/mine", row)).status).toBe(201);
    }
    await app.stop();
    await own.stop();
  }, 60_000);

  it("dump a database and restore it with the programs of the distribution", async () => {
    const block = (await blocksOf("backup.md", "")).find((each) => each.includes("pg_restore"));
    const folder = await mkdtemp(join(tmpdir(), "rowhouse-operations-"));
    try {
      await psql(url, "create table public.kept (id int); insert into public.kept values (7)");
      await psql(server.url(), "create database operations_restored");
      const restored = server.url("operations_restored");
      const path = [`/usr/lib/postgresql/${server.version.split(".")[0]}/bin`, process.env.PATH];
      await promisify(execFile)("bash", ["-e", "-c", block ?? "exit 1"], {
        cwd: folder,
        env: { PATH: path.join(delimiter), SUPERUSER_URL: url, NEW_SUPERUSER_URL: restored },
      });
      expect((await psql(restored, "select id from public.kept")).trim()).toBe("7");
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
