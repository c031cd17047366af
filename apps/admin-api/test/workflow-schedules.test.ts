// Tiers: usual, topologies.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
beforeAll(async () => {
  api = await openTestEnvironment();
});
afterAll(() => api.test.drop());

let count = 0;
const create = async (trigger: object) => {
  count += 1;
  return api.ask("POST", "/workflows", {
    slug: `schedule-${count}`,
    name: "Schedule",
    definition: {
      trigger: { kind: "schedule", executeAs: api.user.id, ...trigger },
      steps: [{ id: "end", kind: "finish" }],
    },
  });
};

describe("a workflow with a schedule", () => {
  it("shows its next run while it is enabled, also in the list", async () => {
    const created = await create({ cron: "30 9 * * *", timeZone: "Asia/Kolkata" });
    expect(created.body.data.nextRunAt).toBeNull();
    const path = `/workflows/${created.body.data.id}`;
    expect((await api.ask("POST", `${path}/publish`)).body.data.nextRunAt).toBeNull();
    const enabled = await api.ask("POST", `${path}/enable`);
    const { nextRunAt } = enabled.body.data;
    // Half past nine in Kolkata is four in UTC.
    expect(nextRunAt).toMatch(/T04:00:00\.000000Z$/);
    expect(Date.parse(nextRunAt)).toBeGreaterThan(Date.now());
    expect(Date.parse(nextRunAt)).toBeLessThanOrEqual(Date.now() + 86_400_000);
    const list = await api.ask("GET", "/workflows?search=schedule-1");
    expect(list.body.data[0].nextRunAt).toBe(nextRunAt);
    expect((await api.ask("POST", `${path}/disable`)).body.data.nextRunAt).toBeNull();
  });

  it("requires five fields and a user, and cannot be published with a time that never occurs", async () => {
    for (const [trigger, faults] of [
      [{}, ["cron"]],
      [{ cron: "* * * * * *" }, ["cron"]],
      [{ cron: "@daily" }, ["cron"]],
      [{ cron: "2030-01-01T00:00:00" }, ["cron"]],
      [{ cron: "* * * * *", executeAs: null }, ["executeAs"]],
      [{ cron: "* * * * *", overlap: "QUEUE", catchUp: "SOME" }, ["overlap", "catchUp"]],
    ] as const) {
      expect((await create(trigger)).faults).toEqual(
        faults.map((field) => `BODY_INVALID /data/definition/trigger/${field}`),
      );
    }
    for (const [trigger, field] of [
      [{ cron: "60 * * * *" }, "cron"],
      [{ cron: "0 0 30 2 *" }, "cron"],
      [{ cron: "0 0 * * *", timeZone: "Mars/Olympus" }, "timeZone"],
      [{ cron: "0 0 * * *", timeZone: "+02:00" }, "timeZone"],
    ] as const) {
      const { id } = (await create(trigger)).body.data;
      const refused = await api.ask("POST", `/workflows/${id}/publish`);
      expect([refused.status, refused.faults]).toEqual([
        400,
        [`WORKFLOW_INVALID /trigger/${field}`],
      ]);
    }
  });
});

describe("the preview of a schedule", () => {
  const preview = (data: unknown) => api.ask("POST", "/workflow-schedules/preview", data);
  const momentsOf = async (data: unknown): Promise<string[]> =>
    (await preview(data)).body.data.moments;

  it("returns the next moments in the time zone, earliest first", async () => {
    const moments = await momentsOf({ cron: "30 9 * * *", timeZone: "Asia/Kolkata", count: 3 });
    expect(moments).toHaveLength(3);
    const times = moments.map((moment) => Date.parse(moment));
    for (const moment of moments) expect(moment).toMatch(/T04:00:00\.000Z$/);
    expect(times[0]).toBeGreaterThan(Date.now());
    expect(times.map((time, index) => time - (times[index - 1] ?? time))).toEqual([
      0, 86_400_000, 86_400_000,
    ]);
    expect(await momentsOf({ cron: "*/5 * * * *" })).toHaveLength(10);
    expect(await momentsOf({ cron: "0 0 30 2 *" })).toEqual([]);
  });

  it("stays within a second for the rarest moments", async () => {
    const begun = performance.now();
    expect(await momentsOf({ cron: "0 0 29 2 *", count: 50 })).toHaveLength(50);
    await momentsOf({ cron: "59 23 31 12 *", timeZone: "Asia/Kathmandu", count: 50 });
    await momentsOf({ cron: "0 0 L 2 *", timeZone: "Europe/Berlin", count: 50 });
    expect(performance.now() - begun).toBeLessThan(1000);
  });

  it("returns each fault at its field", async () => {
    for (const [data, field] of [
      [{}, "cron"],
      [{ cron: "60 * * * *" }, "cron"],
      [{ cron: "* * * * * *" }, "cron"],
      [{ cron: "* * * * *", timeZone: "Mars/Olympus" }, "timeZone"],
      [{ cron: "* * * * *", count: 51 }, "count"],
    ] as const) {
      expect((await preview(data)).faults).toEqual([`BODY_INVALID /data/${field}`]);
    }
  });
});
