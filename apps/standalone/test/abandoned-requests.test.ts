// Tier: long. Starts processes.
import { expose, topologyNames } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExportEnvironment, openExportEnvironment } from "./export-environment.ts";

describe.each(topologyNames("one", "four"))("a request by HTTP, %s", (kind) => {
  let environment: ExportEnvironment;

  beforeAll(async () => {
    environment = await openExportEnvironment(kind);
  }, 180_000);
  afterAll(() => environment.stop());

  /** Statements that sleep at this moment: only those of the view and of the trigger do. */
  const running = async (): Promise<number> => {
    const rows = await environment.test.database.query(
      "select from pg_stat_activity where state = 'active' and wait_event = 'PgSleep' and datname = current_database()",
    );
    return rows.length;
  };

  it("for a list ends in PostgreSQL when its caller closes the connection, long before its time limit", async () => {
    await environment.set("data.statement_timeout_ms", 600_000);
    const away = new AbortController();
    const asking = environment
      .ask("/api/public/view/slow", "application/json", "GET", away.signal)
      .catch((error: Error) => error.name);
    await expect.poll(() => running()).toBe(1);
    away.abort();
    expect(await asking).toBe("AbortError");
    await expect.poll(() => running()).toBe(0);
    const other = await environment.ask("/api/public/table/large?limit=1", "application/json");
    expect(other.status).toBe(200);
  });

  it("for a batch ends in PostgreSQL, changes nothing and releases its connection when its caller closes the connection", async () => {
    const { database } = environment.test;
    await database.query(`
      create table public.paces (id int primary key);
      create function public.pace() returns trigger language plpgsql as
        $$ begin if new.id = 2 then perform pg_sleep(60); end if; return new; end $$;
      create trigger pace before insert on public.paces for each row execute function public.pace()`);
    await expose(database, "public", "paces", "POST");
    await database.query(
      `insert into system.grants (role_id, resource_id, action, all_fields)
       select $1::text::uuid, id, 'CREATE', true from system.resources where relation_name = 'paces'`,
      [environment.roleId],
    );
    const batch = (ids: readonly number[], signal: AbortSignal | null = null) =>
      fetch(`${environment.url}/api/batch`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${environment.user.secret}`,
          "Content-Type": "application/json",
          "Idempotency-Key": "paces",
        },
        body: JSON.stringify({
          data: ids.map((id) => ({
            method: "POST",
            path: "/api/public/table/paces",
            data: { id },
          })),
        }),
        signal,
      });
    const away = new AbortController();
    const asking = batch([1, 2, 3], away.signal).catch((error: Error) => error.name);
    await expect.poll(() => running()).toBe(1);
    away.abort();
    expect(await asking).toBe("AbortError");
    await expect.poll(() => running()).toBe(0);
    const open =
      "select from pg_stat_activity where xact_start is not null and pid <> pg_backend_pid() and datname = current_database()";
    await expect.poll(() => database.query(open)).toEqual([]);
    expect(await database.query("select from public.paces")).toEqual([]);
    // The key of the batch is free as well.
    expect((await batch([1, 3])).status).toBe(200);
  });
});
