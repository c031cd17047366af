// Tiers: usual, topologies.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nobody, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
beforeAll(async () => {
  api = await openTestEnvironment();
});
afterAll(() => api.test.drop());

interface Document {
  openapi: string;
  paths: Record<string, Record<string, { requestBody?: unknown; security?: unknown[] }>>;
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly takesBody: boolean;
}
const readDocument = async (): Promise<Document> =>
  (await api.ask("GET", "/openapi?exports=true")).body;
/** Every route of the document but the open page, `{id}` and the like filled in with ids that nothing has. */
const routes = async (): Promise<Route[]> =>
  Object.entries((await readDocument()).paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security }]) => security?.length !== 0)
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path: path
          .replace("/admin/api", "")
          .replace("{schema}", "public")
          .replaceAll(/\{\w+\}/g, nobody),
        takesBody: operation.requestBody !== undefined,
      })),
  );

const takesAnyData = /^\/workflows\/[^/]+\/(?:test|runs|examples\/[^/]+)$/;

describe("every route of the document", () => {
  it("exists in the OpenAPI 3.1 document, which is built from the routes", async () => {
    const document = await readDocument();
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        "/admin/api/audit-log",
        "/admin/api/grants",
        "/admin/api/grants/{id}",
        "/admin/api/openapi",
        "/admin/api/resources",
        "/admin/api/resources/{id}",
        "/admin/api/roles",
        "/admin/api/roles/{id}",
        "/admin/api/roles/{id}/members",
        "/admin/api/roles/{id}/members/{userId}",
        "/admin/api/schema/{schema}/tables",
        "/admin/api/schema/{schema}/tables/preview",
        "/admin/api/users",
        "/admin/api/users/{id}",
        "/admin/api/users/{id}/activate",
        "/admin/api/users/{id}/deactivate",
      ]),
    );
  });

  it("returns 401 without a credential and with an invalid one", async () => {
    for (const { method, path } of await routes()) {
      for (const secret of [null, "rhs_nonsense", api.user.secret.slice(0, -1)]) {
        const answer = await api.ask(method, path, undefined, secret);
        expect([method, path, answer.status, answer.faults]).toEqual([
          method,
          path,
          401,
          ["AUTHENTICATION_REQUIRED"],
        ]);
      }
    }
  });

  it("returns 403 to a caller who is not an administrator, before any other check", async () => {
    for (const { method, path } of await routes()) {
      const answer = await api.ask(method, `${path}?nope=1`, undefined, api.user.secret);
      expect([method, path, answer.status, answer.faults]).toEqual([
        method,
        path,
        403,
        ["ACTION_DENIED"],
      ]);
    }
  });

  it("returns 405 with the allowed methods, and 404 for a path next to it", async () => {
    const answer = await api.ask("PUT", "/roles", {});
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
    for (const { method, path } of await routes()) {
      expect((await api.ask("PROPFIND", path)).status).toBe(405);
      expect((await api.ask(method, `${path}/nope/nope`)).status).toBe(404);
    }
  });

  it("returns 404 for an unknown id and for a malformed id", async () => {
    // Valid bodies, so that the id is the only fault.
    const bodies: Record<string, unknown> = {
      [`/resources/${nobody}`]: { exposedMethods: [] },
      [`/roles/${nobody}`]: {},
      [`/roles/${nobody}/members`]: { userId: nobody },
      [`/grants/${nobody}`]: {},
      [`/users/${nobody}`]: {},
      [`/tokens/${nobody}`]: {},
      [`/auth-providers/${nobody}`]: {},
      [`/tokens/${nobody}/regenerate`]: { gracePeriod: "none" },
    };
    const withId = (await routes()).filter(
      ({ path, takesBody }) => path.includes(nobody) && (!takesBody || path in bodies),
    );
    expect(withId.length).toBeGreaterThan(10);
    for (const { method, path, takesBody } of withId) {
      const data = takesBody ? bodies[path] : undefined;
      for (const id of [nobody, "1", "%20", "null", "..%2f", `${nobody}x`, "%00", "%ff"]) {
        const answer = await api.ask(method, path.replaceAll(nobody, id), data);
        expect([method, path, id, answer.status, answer.faults]).toEqual([
          method,
          path,
          id,
          404,
          ["NOT_FOUND"],
        ]);
      }
    }
  });

  it("refuses unknown and repeated parameters", async () => {
    for (const { method, path } of await routes()) {
      if (method !== "GET" || path.includes(nobody)) continue;
      expect((await api.ask("GET", `${path}?nope=1`)).faults).toEqual(["QUERY_INVALID nope"]);
      expect((await api.ask("GET", `${path}?__proto__=1`)).faults).toEqual([
        "QUERY_INVALID __proto__",
      ]);
    }
    for (const path of ["/roles", "/users", "/resources", "/grants", "/audit-log"]) {
      const faults = async (query: string) => (await api.ask("GET", `${path}?${query}`)).faults;
      expect(await faults("limit=0")).toEqual(["QUERY_INVALID limit"]);
      expect(await faults("limit=1e2")).toEqual(["QUERY_INVALID limit"]);
      expect(await faults("limit=1000000000")).toEqual(["QUERY_INVALID limit"]);
      expect(await faults("limit=1&limit=2")).toEqual(["QUERY_INVALID limit"]);
      for (const cursor of ["x", "W10", "WyJhIl0", "eyJhIjoxfQ", "bnVsbA", ""]) {
        expect(await faults(`cursor=${cursor}`)).toEqual(["QUERY_INVALID cursor"]);
      }
    }
  });

  it("refuses a body that is not JSON, has no data, or has another member", async () => {
    const before = await api.traces();
    for (const { method, path, takesBody } of await routes()) {
      // For an unknown id, no other fault is reported.
      if (!takesBody || path.includes(nobody)) continue;
      expect((await api.send(method, path, "{")).faults).toEqual(["BODY_INVALID"]);
      expect((await api.send(method, path, "x=1", "text/plain")).status).toBe(415);
      expect((await api.send(method, path, "{}")).faults).toContain("BODY_INVALID /data");
      const beside = await api.send(method, path, '{"data":{},"more":1}');
      expect(beside.faults).toContain("BODY_INVALID /more");
      const prototype = await api.send(method, path, '{"data":{"__proto__":{}}}');
      // Where a body is data of the caller, any key is permitted. A list reports the fault of the whole.
      const expected = takesAnyData.test(path) ? "NOT_FOUND" : "BODY_INVALID /data/__proto__";
      const isList = path.startsWith("/resources") || (path === "/grants" && method === "PUT");
      expect([path, ...prototype.faults]).toContain(isList ? "BODY_INVALID /data" : expected);
    }
    expect(await api.traces()).toBe(before);
  });
});

describe("credentials", () => {
  it("lose their rights at once: a removed administrator is refused on the next request", async () => {
    const { database } = api.test;
    const [second] = await database.query<{ id: string }>(
      "select id from system.users where email = 'user@example.com'",
    );
    const [role] = await database.query<{ id: string }>(
      "select id from system.roles where is_administrators",
    );
    const path = `/roles/${role?.id}/members`;
    expect((await api.ask("POST", path, { userId: second?.id })).status).toBe(201);
    expect((await api.ask("GET", "/roles", undefined, api.user.secret)).status).toBe(200);
    expect((await api.ask("DELETE", `${path}/${second?.id}`)).status).toBe(204);
    expect((await api.ask("GET", "/roles", undefined, api.user.secret)).status).toBe(403);
  });
});
