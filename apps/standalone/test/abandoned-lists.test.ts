import { topologyNames } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExportEnvironment, openExportEnvironment } from "./export-environment.ts";

describe.each(topologyNames("one", "four"))("a list by HTTP, %s", (kind) => {
  let environment: ExportEnvironment;

  beforeAll(async () => {
    environment = await openExportEnvironment(kind);
  }, 180_000);
  afterAll(() => environment.stop());

  /** Statements of the view that PostgreSQL runs at this moment. */
  const running = async (): Promise<number> => {
    const rows = await environment.test.database.query(
      `select from pg_stat_activity where state = 'active' and wait_event = 'PgSleep' and query like '%"slow"%'
         and datname = current_database()`,
    );
    return rows.length;
  };

  it("ends in PostgreSQL when its caller closes the connection, long before its time limit", async () => {
    await environment.set("data.statement_timeout_ms", 600_000);
    const away = new AbortController();
    const asking = environment
      .ask("/api/public/view/slow", "application/json", "GET", away.signal)
      .catch((error: Error) => error.name);
    await expect.poll(running).toBe(1);
    away.abort();
    expect(await asking).toBe("AbortError");
    await expect.poll(running).toBe(0);
    const other = await environment.ask("/api/public/table/large?limit=1", "application/json");
    expect(other.status).toBe(200);
  });
});
