import { documentFaults } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// `/api/openapi`: a caller with a credential gets a document of the available operations.

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment();
});
afterAll(() => environment.stop());

const documentOf = async (as: string) =>
  (await environment.ask("GET", "/api/openapi", { as })).body;
const operationsOf = (paths: Record<string, object>) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );

describe("a caller's own document", () => {
  it("has no findings of public validators", async () => {
    for (const { secret } of [environment.admin, environment.member]) {
      expect(await documentFaults(await documentOf(secret))).toEqual([]);
    }
  });

  it("has exactly the mounted routes of sign-in and of workflows", async () => {
    const { paths } = await documentOf(environment.member.secret);
    const mounted = (await environment.services())
      .flatMap((service) => service.routes)
      .filter(({ path }) => path.startsWith("/api/") && !path.startsWith("/api/:schema"))
      // The protocol of uploads: OPTIONS describes it, and the route of GET serves HEAD.
      .filter(
        ({ method, path }) =>
          method !== "OPTIONS" && !(method === "GET" && path.startsWith("/api/files/uploads/")),
      )
      // Middleware is listed under ALL; the webhook accepts every method, and serves the two that can be configured.
      .flatMap(({ method, path }) =>
        method !== "ALL"
          ? [{ method, path }]
          : path.endsWith("/webhook")
            ? [
                { method: "GET", path },
                { method: "POST", path },
              ]
            : [],
      )
      .map(
        ({ method, path }) =>
          `${method} ${path.replaceAll(/:(\w+)(?:\{(?:[^{}]|\{[^{}]*\})*\})?/g, "{$1}")}`,
      );
    const documented = operationsOf(paths).filter((operation) => !operation.includes("/table/"));
    expect(documented.sort()).toEqual([...new Set(mounted)].sort());
  });

  it("has the rows that its reader can access by all roles together", async () => {
    const rowsOf = async (as: string) =>
      operationsOf((await documentOf(as)).paths).filter((operation) =>
        operation.includes("/table/"),
      );
    expect(await rowsOf(environment.member.secret)).toEqual([
      "GET /api/public/table/things",
      "POST /api/public/table/things/query",
      "GET /api/public/table/things/{id}",
    ]);
    expect(await rowsOf(environment.admin.secret)).toHaveLength(8);
  });

  it("states which routes are public, and which reject a token", async () => {
    const { paths } = await documentOf(environment.member.secret);
    expect(paths["/api/auth/login"].post.security).toEqual([]);
    expect(paths["/api/auth/tokens"].get.security).toEqual([{ session: [] }]);
    expect(paths["/api/auth/me"].get.security).toBe(undefined);
  });
});
