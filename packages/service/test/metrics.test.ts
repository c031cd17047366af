import { describe, expect, it } from "vitest";
import { createMetrics, watchPools } from "../src/index.ts";

describe("metrics", () => {
  it("count responses by service, method, route and status", async () => {
    const metrics = createMetrics();
    metrics.answersOf("data-api")({ method: "GET", route: "/api/x", status: 200, seconds: 0.02 });
    expect(await metrics.text()).toContain(
      'rowhouse_http_request_duration_seconds_count{service="data-api",method="GET",route="/api/x",status="200"} 1',
    );
  });

  it("omit a value that cannot be read and report the others", async () => {
    const metrics = createMetrics();
    metrics.watch({
      name: "rowhouse_test_unreadable",
      help: "Fails",
      read: () => Promise.reject(new Error("unreachable")),
    });
    metrics.watch({
      name: "rowhouse_test_unreadable_parts",
      help: "Fails",
      label: "part",
      read: () => Promise.reject(new Error("unreachable")),
    });
    metrics.watch({ name: "rowhouse_test_readable", help: "Succeeds", read: () => 7 });
    const text = await metrics.text();
    expect(text).toContain("\nrowhouse_test_readable 7\n");
    expect(text).not.toMatch(/^rowhouse_test_unreadable/m);
  });

  it("report the work in progress and the size of each pool", async () => {
    const metrics = createMetrics();
    const pool = (inProgress: number, connectionsMax: number) => ({
      load: () => ({ inProgress, connectionsMax }),
    });
    const one: ReturnType<typeof pool> & { service: ReturnType<typeof pool> } = {
      ...pool(3, 12),
      service: pool(0, 0),
    };
    one.service = one;
    watchPools(metrics, { "data-api": one, worker: { ...pool(1, 5), service: pool(2, 9) } });
    const text = await metrics.text();
    const values = text.split("\n").filter((line) => line.startsWith("rowhouse_database_"));
    expect(values).toEqual([
      'rowhouse_database_work_in_progress{pool="data-api"} 3',
      'rowhouse_database_work_in_progress{pool="worker"} 2',
      'rowhouse_database_work_in_progress{pool="worker-system"} 1',
      'rowhouse_database_connections_max{pool="data-api"} 12',
      'rowhouse_database_connections_max{pool="worker"} 9',
      'rowhouse_database_connections_max{pool="worker-system"} 5',
    ]);
  });
});
