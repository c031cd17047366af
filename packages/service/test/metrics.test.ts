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
    metrics.watch({ name: "rowhouse_test_readable", help: "Succeeds", read: () => 7 });
    const text = await metrics.text();
    expect(text).toContain("\nrowhouse_test_readable 7\n");
    expect(text).not.toMatch(/^rowhouse_test_unreadable /m);
  });

  it("report the work in progress and the size of each pool", async () => {
    const metrics = createMetrics();
    watchPools(metrics, { "data-api": { load: () => ({ inProgress: 3, connectionsMax: 12 }) } });
    const text = await metrics.text();
    expect(text).toContain('rowhouse_database_work_in_progress{pool="data-api"} 3');
    expect(text).toContain('rowhouse_database_connections_max{pool="data-api"} 12');
  });
});
