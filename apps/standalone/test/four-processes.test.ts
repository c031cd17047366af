// Tier: usual. The one file of several processes here; the others are in the other tiers.
import { hasRedis, signIn, startTestEnvironment, type TestEnvironment } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "./client.ts";

describe.runIf(hasRedis())("a gateway, a Data API, an Admin API and a worker on Redis", () => {
  let environment: TestEnvironment;
  let client: Client;
  let admin: string;

  beforeAll(async () => {
    environment = await startTestEnvironment({ kind: "four" });
    client = createClient(environment);
    admin = await client.signIn(signIn);
  });
  afterAll(() => environment.stop());

  const administer = async (method: string, path: string, data?: unknown) => {
    const answer = await client.ask(method, `/admin/api${path}`, {
      as: admin,
      ...(data === undefined ? {} : { body: { data } }),
    });
    expect([path, answer.status < 300 || answer.body]).toEqual([path, true]);
    return answer.body?.data;
  };

  it("serve a table from the request after its exposure, and complete a run that writes a row", async () => {
    const { resourceId } = await administer("POST", "/schema/public/tables", {
      name: "visits",
      columns: [
        { name: "id", dataType: "bigint", identity: "ALWAYS", primaryKey: true },
        { name: "guest", dataType: "text", nullable: false },
      ],
    });
    const path = "/api/public/table/visits?fields=guest";
    expect((await client.ask("GET", path, { as: admin })).status).toBe(404);
    await administer("PATCH", `/resources/${resourceId}`, { exposedMethods: ["GET", "POST"] });
    expect((await client.ask("GET", path, { as: admin })).body.data).toEqual([]);
    const { body } = await client.ask("GET", "/api/auth/me", { as: admin });
    const { id } = await administer("POST", "/workflows", {
      slug: "visit",
      name: "Visit",
      definition: {
        trigger: { kind: "webhook", access: "PUBLIC", executeAs: body.data.id },
        steps: [
          {
            ...{ id: "row", kind: "createRow", table: "visits" },
            values: { guest: "{{start.data.body.guest}}" },
          },
          { id: "end", kind: "finish", result: "{{steps.row.guest}}" },
        ],
      },
    });
    await administer("POST", `/workflows/${id}/publish`);
    await administer("POST", `/workflows/${id}/enable`);
    const run = await client.ask("POST", "/api/workflows/visit/webhook", {
      body: { guest: "Ada" },
    });
    expect(run.status).toBe(200);
    expect(run.body.data).toMatchObject({ status: "SUCCEEDED", error: null, result: "Ada" });
    expect((await client.ask("GET", path, { as: admin })).body.data).toEqual([{ guest: "Ada" }]);
  });
});
