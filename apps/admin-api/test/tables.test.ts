import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Arrangement, arrange } from "./arrangement.ts";

let api: Arrangement;
beforeAll(async () => {
  api = await arrange();
});
afterAll(() => api.test.drop());

const vehicles = {
  name: "vehicles",
  columns: [
    { name: "id", dataType: "bigint", identity: "ALWAYS", primaryKey: true },
    {
      name: "plate",
      dataType: "text",
      nullable: false,
      check: "length(plate) between 2 and 12",
      checkMessage: "A plate has 2 to 12 characters",
    },
  ],
};

describe("POST /admin/api/schema/{schema}/tables", () => {
  it("creates a hidden table, audited, and answers 201 with its resource", async () => {
    const answer = await api.ask("POST", "/schema/public/tables", vehicles);
    expect(answer.status).toBe(201);
    const { resourceId } = answer.body.data;
    expect(answer.body).toEqual({ data: { resourceId, schema: "public", name: "vehicles" } });
    const resource = await api.ask("GET", `/resources/${resourceId}`);
    expect(resource.body.data).toMatchObject({ name: "vehicles", exposedMethods: [] });
    const log = await api.ask("GET", `/audit-log?targetId=${resourceId}`);
    expect(log.body.data).toMatchObject([
      {
        action: "table.create",
        actorUserId: api.admin.id,
        address: "192.0.2.7",
        requestId: "request-1",
        changedFields: ["name", "columns"],
      },
    ]);
  });

  it("answers 409 for a name that is taken", async () => {
    const before = await api.traces();
    const answer = await api.ask("POST", "/schema/public/tables", vehicles);
    expect([answer.status, answer.faults]).toEqual([409, ["CONFLICT /data/name"]]);
    expect(await api.traces()).toBe(before);
  });

  it("answers 404 for a schema that is unknown or not the user's", async () => {
    for (const schema of ["nope", "system", "pg_catalog", "%00", "a%2Fb", "%ff"]) {
      for (const path of [`/schema/${schema}/tables`, `/schema/${schema}/tables/preview`]) {
        const answer = await api.ask("POST", path, { ...vehicles, name: "other" });
        expect([path, answer.status]).toEqual([path, 404]);
      }
    }
  });

  it("reports faults of form and of expressions together, and leaves nothing behind", async () => {
    const before = await api.traces();
    const answer = await api.ask("POST", "/schema/public/tables", {
      name: "bad",
      owner: 1,
      columns: [
        { name: "a", dataType: "int", default: "0 references t(id) on delete cascade" },
        { name: "b", dataType: 1 },
        { name: "c", dataType: "text", check: "query_to_xml('select 1') is null" },
      ],
    });
    expect([answer.status, answer.faults.sort()]).toEqual([
      400,
      [
        "BODY_INVALID /data/columns/1/dataType",
        "BODY_INVALID /data/owner",
        "EXPRESSION_INVALID /data/columns/0/default",
        "EXPRESSION_INVALID /data/columns/2/check",
      ],
    ]);
    expect(await api.traces()).toBe(before);
  });
});

describe("POST /admin/api/schema/{schema}/tables/preview", () => {
  it("answers the statements and runs none", async () => {
    const before = await api.traces();
    const answer = await api.ask("POST", "/schema/public/tables/preview", {
      ...vehicles,
      name: "trucks",
    });
    expect(answer.status).toBe(200);
    expect(answer.body.data.sql).toHaveLength(2);
    expect(answer.body.data.sql[0]).toMatch(/^create table "public"."trucks" \(/);
    expect(await api.traces()).toBe(before);
  });
});
