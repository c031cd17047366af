// Tiers: long, topologies. Starts processes.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@rowhouse/db";
import { startLocalPostgres } from "@rowhouse/local-postgres";
import { startApp } from "@rowhouse/testing";
import { afterEach, describe, expect, it } from "vitest";
import { type EventEnvironment, openEventEnvironment } from "./event-environment.ts";

// Writers of watched tables with various privileges.

let environment: EventEnvironment;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
const open = async (login: "owner" | "service") => {
  environment = await openEventEnvironment(login);
  ends.push(() => environment.stop());
  await environment.sql("create schema shop");
  await environment.sql(
    "create table shop.orders (id int primary key, status text, total numeric)",
  );
};
const orders = { schema: "shop", table: "orders" };

describe("a writer", { timeout: 120_000 }, () => {
  it("with privileges on the table only can write it, and can neither read nor write the trigger's tables", async () => {
    await open("owner");
    const id = await environment.watch({ ...orders, on: ["insert"] });
    const name = `writer_${Math.random().toString(36).slice(2)}`;
    const url = new URL(environment.test.url);
    await environment.sql(
      `create role ${name} login password 'writer'; grant usage, create on schema shop to ${name};
       grant insert, trigger on shop.orders to ${name}`,
    );
    url.username = name;
    url.password = "writer";
    const writer = openDatabase({ url: url.href, applicationName: "writer" });
    try {
      const [{ resource } = { resource: "" }] = await environment.sql<{ resource: string }>(
        "select id::text as resource from system.resources where schema_name = 'shop' and relation_name = 'orders'",
      );
      // Objects that precede those of PostgreSQL in the search path, and a cast that the trigger might call.
      await writer.query(
        `create function shop.to_json(record) returns json language plpgsql as $$ begin return '"stolen"'; end $$`,
      );
      await writer.transaction(async (transaction) => {
        await transaction.query("set local search_path = shop, pg_catalog");
        await transaction.query("create temp table workflow_watches (id int) on commit drop");
        await transaction.query("set local rowhouse.run = 'no run'");
        await transaction.query("insert into shop.orders values (1, 'written', 1)");
      });
      for (const text of [
        "select * from system.workflow_events",
        "insert into system.workflow_events default values",
        "select system.record_events()",
        `create trigger t after insert on shop.orders for each row execute function system.record_events('${resource}')`,
      ]) {
        await expect(writer.query(text), text).rejects.toThrow(/permission denied/);
      }
      expect(await environment.inputs(id, 1)).toMatchObject([{ new: { status: "written" } }]);

      await writer.query("create type shop.trap as (a int)");
      await writer.query(
        `create function shop.spring(shop.trap) returns json language sql as $$ select to_json(current_user::text) $$`,
      );
      await writer.query("create cast (shop.trap as json) with function shop.spring(shop.trap)");
      await environment.sql("alter table shop.orders add column trap shop.trap");
      await writer.query("insert into shop.orders values (2, 'with a trap', 1, '(1)')");
      expect((await environment.inputs(id, 2)).at(-1)).toMatchObject({
        new: {},
        omitted: ["id", "status", "total", "trap"],
      });
    } finally {
      await writer.close();
      await environment.sql("drop schema shop cascade");
      await environment.sql(`drop owned by ${name} cascade; drop role ${name}`);
    }
  });

  it("may be the SQL console, whose login has no privileges on the outbox either", async () => {
    await open("owner");
    const id = await environment.watch({ ...orders, on: ["insert"] });
    const run = (sql: string) => environment.admin("POST", "/sql", { sql, readOnly: false });
    expect((await run("insert into shop.orders values (1, 'console', 1)")).status).toBe(200);
    expect(await environment.inputs(id, 1)).toMatchObject([{ new: { status: "console" } }]);
    for (const sql of [
      "insert into system.workflow_events default values",
      "select * from system.workflow_events",
    ]) {
      expect(JSON.stringify((await run(sql)).body)).toContain("permission denied");
    }
  });

  it("may prepare the transaction, on a server that allows it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "rowhouse-prepared-"));
    // Under root the server runs as another account; if that account cannot enter the folder, the files are elsewhere.
    await chmod(folder, 0o755);
    ends.push(() => rm(folder, { recursive: true, force: true }));
    const server = await startLocalPostgres({
      directory: join(folder, "state"),
      durable: false,
      settings: { max_prepared_transactions: "5" },
    });
    ends.push(() => server.stop());
    const database = openDatabase({ url: server.url, applicationName: "test" });
    ends.push(() => database.close());
    const password = "correct horse battery staple";
    const app = await startApp("standalone", {
      DATABASE_URL: server.url,
      ROWHOUSE_ADMIN_EMAIL: "admin@example.com",
      ROWHOUSE_ADMIN_PASSWORD: password,
    });
    ends.push(() => app.stop());
    const ask = async (path: string, body: unknown, token?: string) => {
      const answer = await fetch(`${app.url}${path}`, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      });
      return ((await answer.json()) as { data: Record<string, never> }).data;
    };
    await database.query("create table public.orders (id int primary key)");
    const { token, user } = await ask("/api/auth/login", { email: "admin@example.com", password });
    const executeAs = (user as unknown as { id: string }).id;
    const definition = {
      trigger: { kind: "databaseEvent", table: "orders", on: ["insert"], executeAs },
      steps: [{ id: "end", kind: "finish" }],
    };
    const created = { data: { slug: "prepared", name: "Prepared", definition } };
    const { id } = await ask("/admin/api/workflows", created, token);
    await ask(`/admin/api/workflows/${id}/publish`, {}, token);
    await ask(`/admin/api/workflows/${id}/enable`, {}, token);
    const writer = openDatabase({ url: server.url, applicationName: "writer", connectionsMax: 1 });
    ends.push(() => writer.close());
    await writer.query("begin; insert into orders values (1); prepare transaction 'p'");
    await writer.query("commit prepared 'p'");
    await expect
      .poll(() => database.query("select status from system.workflow_runs"))
      .toEqual([{ status: "SUCCEEDED" }]);
  });
});

describe("a service that does not own the table", { timeout: 120_000 }, () => {
  it("watches it with the TRIGGER privilege; a trigger that it may not drop records nothing once no workflow watches", async () => {
    await open("service");
    await environment.sql(
      "create table shop.theirs (id int primary key, note text); alter table shop.theirs owner to current_user",
    );
    await environment.sql("grant usage on schema shop to test_service");
    const trigger = { schema: "shop", table: "theirs", on: ["insert", "update"] };
    const definition = {
      trigger: { kind: "databaseEvent", executeAs: environment.userId, ...trigger },
      steps: [{ id: "end", kind: "finish" }],
    };
    const created = await environment.admin("POST", "/workflows", {
      slug: "refused",
      name: "Refused",
      definition,
    });
    const refused = await environment.admin("POST", `/workflows/${created.body.data.id}/publish`);
    expect(refused.body.errors).toMatchObject([
      { code: "WORKFLOW_INVALID", path: "/trigger/table" },
    ]);

    await environment.sql("grant select, trigger on shop.theirs to test_service");
    const id = await environment.watch(trigger);
    await environment.sql("insert into shop.theirs values (1, 'heard')");
    expect(await environment.inputs(id, 1)).toMatchObject([{ new: { note: "heard" } }]);
    expect((await environment.admin("POST", `/workflows/${id}/disable`)).status).toBe(200);
    expect(await environment.triggers("shop.theirs")).toEqual([
      "rowhouse_insert",
      "rowhouse_update",
    ]);
    await environment.sql("update shop.theirs set note = 'unheard'");
    await environment.admin("POST", `/workflows/${id}/enable`);
    await environment.sql("update shop.theirs set note = 'again'");
    expect(await environment.inputs(id, 2)).toMatchObject([{}, { new: { note: "again" } }]);
  });
});
