// Tier: long. Calls each route with each bad body; every-route.test.ts is in every run.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// Every route of both APIs that has a body; the routes are read from the apps' own tables.

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment();
});
afterAll(() => environment.stop());

const nobody = "00000000-0000-4000-8000-000000000000";

/** Method and path of each route, on existing objects where a missing one would be reported before the body. */
async function routes(): Promise<[string, string][]> {
  const listed = (await environment.services()).flatMap((service) =>
    service.routes
      .filter(({ method }) => ["POST", "PATCH", "PUT"].includes(method))
      .map(({ method, path }): [string, string] => [
        method,
        path
          .replace(/[:{]schema\}?/, "public")
          .replace(/[:{]table\}?\/[:{]id\}?/, "things/1")
          .replace(/[:{]table\}?/, "things")
          .replaceAll(/:\w+|\{\w+\}/g, nobody),
      ]),
  );
  return [...new Map(listed.map((route) => [route.join(" "), route])).values()];
}

const entries = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`unknown${index}`, value]));

// Close to the maximum size of a body.
const manyKeys = entries(50_000, 1);
const manyItems = Array.from({ length: 200_000 }, () => 1);
const bodies: Readonly<Record<string, unknown>> = {
  "unknown keys": manyKeys,
  "unknown keys in data": { data: manyKeys },
  "unknown keys beside data": { data: {}, ...manyKeys },
  "rows of unknown keys": { data: Array.from({ length: 1000 }, () => entries(40, 1)) },
  "values that match no type": {
    data: Array.from({ length: 1000 }, () => ({ id: "x", name: {} })),
  },
  "prototype keys": `{"data": [${Array.from({ length: 40_000 }, () => '{"__proto__": 1}').join()}]}`,
  "texts that cannot be stored": `{"data": [${Array.from({ length: 100_000 }, () => '"\\u0000"').join()}]}`,
  items: { data: manyItems },
  "items of every list": {
    data: {
      columns: manyItems,
      changes: manyItems,
      fields: manyItems,
      roleIds: manyItems,
      exposedMethods: manyItems,
    },
  },
};

describe("a body with any number of faults", () => {
  it("gets at most twenty faults, on every route that has a body", async () => {
    const all = await routes();
    expect(all.length).toBeGreaterThan(50);
    for (const [method, path] of all) {
      for (const [name, body] of Object.entries(bodies)) {
        const answer = await environment.ask(method, path, {
          as: environment.admin.secret,
          ...(typeof body === "string"
            ? { raw: body, headers: { "Content-Type": "application/json" } }
            : { body }),
        });
        const told = [method, path, name, answer.status, answer.faults.length];
        expect(answer.faults.length, String(told)).toBeLessThanOrEqual(20);
        expect(answer.text.length, String(told)).toBeLessThan(20_000);
        expect(answer.status, String(told)).toBeLessThan(500);
      }
    }
  }, 240_000);

  it("gets the first twenty of its faults", async () => {
    const answer = await environment.ask("POST", "/api/auth/login", {
      body: { email: "a@example.com", password: "x", ...entries(30, 1) },
    });
    expect(answer.status).toBe(400);
    expect(answer.faults).toEqual(
      Array.from({ length: 20 }, (_, index) => `BODY_INVALID /unknown${index}`),
    );
  });
});
