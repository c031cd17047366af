// Tiers: usual, topologies.
import { addCrowd } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nobody, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

interface Summary {
  readonly id: string;
  readonly name: string;
  readonly kind: "TABLE" | "VIEW";
  readonly label: string | null;
  readonly exposedMethods: string[];
}

const size = { tables: 60, views: 30 };

let api: TestEnvironment;
beforeAll(async () => {
  api = await openTestEnvironment();
  await addCrowd(api.test.database, size);
});
afterAll(() => api.test.drop());

const list = async (): Promise<Summary[]> =>
  (await api.ask("GET", "/resources?schema=crowd&limit=1000")).body.data;
const epoch = async () => {
  const [row] = await api.test.database.query<{ value: string; catalogue: string }>(
    "select sum(value)::text as value, sum(catalogue)::text as catalogue from system.epoch",
  );
  return { value: Number(row?.value), catalogue: Number(row?.catalogue) };
};

describe("PATCH /admin/api/resources", () => {
  it("changes all of them together: one rise of the epoch, no change of the catalogue, one audit entry each", async () => {
    const resources = await list();
    expect(resources).toHaveLength(size.tables + size.views);
    const before = await epoch();
    const answer = await api.ask(
      "PATCH",
      "/resources",
      resources.toReversed().map(({ id, kind, name }) => ({
        id,
        exposedMethods: kind === "VIEW" ? ["GET"] : ["PATCH", "GET"],
        label: `The ${name}`,
      })),
    );
    expect(answer.status).toBe(200);
    const changed: Summary[] = answer.body.data;
    expect(changed.map(({ id }) => id)).toEqual(resources.toReversed().map(({ id }) => id));
    for (const { kind, exposedMethods, name, label } of changed) {
      expect(exposedMethods).toEqual(kind === "VIEW" ? ["GET"] : ["GET", "PATCH"]);
      expect(label).toBe(`The ${name}`);
    }
    expect((await list()).every(({ exposedMethods }) => exposedMethods.length > 0)).toBe(true);
    const after = await epoch();
    expect([after.value - before.value, after.catalogue - before.catalogue]).toEqual([1, 0]);
    const entries = await api.test.database.query<{ target: string; fields: string }>(
      `select target_id as target, changed_fields::text as fields from system.audit_log
       where action = 'resource.update' and actor_user_id = '${api.admin.id}' and request_id is not null order by id`,
    );
    expect(entries).toEqual(
      changed.map(({ id }) => ({ target: id, fields: "{exposedMethods,label}" })),
    );
  });

  it("changes nothing if an item has a fault, and names each fault by its item", async () => {
    const [first, second] = await list();
    const view = (await list()).find(({ kind }) => kind === "VIEW");
    const traces = await api.traces();
    const answer = await api.ask("PATCH", "/resources", [
      { id: first?.id, label: "Not kept" },
      { id: nobody, label: "Unknown" },
      { id: view?.id, exposedMethods: ["GET", "POST"] },
      { id: second?.id, exposedMethods: ["GET", "GET"] },
      { id: first?.id.toUpperCase(), label: "Twice" },
    ]);
    expect(answer.status).toBe(400);
    expect(answer.faults).toEqual([
      "VALUE_INVALID /data/1/id",
      "BODY_INVALID /data/2/exposedMethods/1",
      "BODY_INVALID /data/3/exposedMethods/1",
      "VALUE_INVALID /data/4/id",
    ]);
    expect((await list())[0]?.label).not.toBe("Not kept");
    expect(await api.traces()).toBe(traces);
  });

  it("keeps the fields that an item omits", async () => {
    const [table] = await list();
    const answer = await api.ask("PATCH", "/resources", [{ id: table?.id, label: null }]);
    expect(answer.body.data).toMatchObject([
      { label: null, exposedMethods: table?.exposedMethods, description: null },
    ]);
    const untouched = await api.ask("PATCH", "/resources", [{ id: table?.id }]);
    expect(untouched.body.data).toEqual(answer.body.data);
  });

  it("refuses an empty list, unknown fields and more than 1000 items", async () => {
    const [table] = await list();
    expect((await api.ask("PATCH", "/resources", [])).faults).toEqual(["BODY_INVALID /data"]);
    expect(
      (await api.ask("PATCH", "/resources", [{ id: table?.id, name: "other" }])).faults,
    ).toEqual(["BODY_INVALID /data/0/name"]);
    const many = Array.from({ length: 1001 }, () => ({ id: nobody }));
    expect((await api.ask("PATCH", "/resources", many)).faults).toEqual(["BODY_INVALID /data"]);
  });
});
