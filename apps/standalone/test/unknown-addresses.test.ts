// Tier: long. Calls each route with each unknown address.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AskOptions, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// Every route of all APIs with a name in its path; the routes are read from the apps' own tables.

let environment: TestEnvironment;
let known: Readonly<Record<string, string>>;
beforeAll(async () => {
  environment = await openTestEnvironment();
  await environment.test.database.query("create table public.hidden (id int primary key)");
  known = await makeKnown();
});
afterAll(() => environment.stop());

const nobody = "00000000-0000-4000-8000-000000000000";

const administer = async (method: string, path: string, data?: unknown) => {
  const answer = await environment.ask(method, `/admin/api${path}`, {
    as: environment.admin.secret,
    ...(data === undefined ? {} : { body: { data } }),
  });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body?.data;
};

/** An existing object for each name of a path that has another name behind it. */
async function makeKnown(): Promise<Record<string, string>> {
  const flow = await administer("POST", "/workflows", {
    slug: "known",
    name: "Known",
    definition: {
      trigger: { kind: "manual", executeAs: environment.admin.id },
      steps: [{ id: "end", kind: "finish", result: null }],
    },
  });
  await administer("POST", `/workflows/${flow.id}/publish`);
  const [role] = await administer("GET", "/roles?search=administrators");
  const resources = await administer("GET", "/resources?schema=public");
  const things = resources.find((resource: { name: string }) => resource.name === "things");
  const board = await administer("POST", "/dashboards", { name: "Known" });
  return {
    "/app/api/dashboards/:id": board.id,
    "/admin/api/schema/:schema": "public",
    "/admin/api/resources/:id": things.id,
    "/admin/api/roles/:id": role.id,
    "/admin/api/users/:id": environment.admin.id,
    "/admin/api/workflows/:id": flow.id,
    "/api/:schema": "public",
    "/api/:schema/table/:table": "things",
  };
}

/** Routes that check a credential first, or that browsers navigate to; they have their own order. */
const excepted = new Set([
  "/api/workflows/:slug/webhook",
  "/api/auth/oauth/:provider/callback",
  "/admin/api/template-frames/:ticket",
]);

/** Routes that create what their last name names; one that could be a name is no unknown name there. */
const creates = ["PUT /admin/api/workflows/:id/examples/:stepId"];

async function routes(): Promise<[string, string][]> {
  const listed = (await environment.services()).flatMap((service) =>
    service.routes
      .map(({ method, path }): [string, string] => [method, path.replaceAll(/\{(\w+)\}/g, ":$1")])
      .filter(
        ([method, path]) =>
          !["ALL", "OPTIONS"].includes(method) && path.includes("/:") && !excepted.has(path),
      ),
  );
  return [...new Map(listed.map((route) => [route.join(" "), route])).values()];
}

/** Returns the route's path once for each of its names: existing names before it, unknown ones from it on. */
function* addressesOf(path: string): Generator<string> {
  const segments = path.split("/");
  const places = segments.flatMap((segment, place) => (segment.startsWith(":") ? [place] : []));
  const knownAt = (place: number) => known[segments.slice(0, place + 1).join("/")];
  for (const from of places) {
    if (places.some((place) => place < from && knownAt(place) === undefined)) continue;
    for (const unknown of [nobody, "nope", "%00", "%ff"]) {
      const filled = segments.map((segment, place) => {
        if (!segment.startsWith(":")) return segment;
        return place < from ? (knownAt(place) ?? "") : unknown;
      });
      yield filled.join("/");
    }
  }
}

const json = { "Content-Type": "application/json" };
const badBodies: readonly AskOptions[] = [
  { raw: "{", headers: json },
  { raw: "x=1", headers: { "Content-Type": "text/plain" } },
  { raw: JSON.stringify("x".repeat(1_100_000)), headers: json },
  { body: {} },
  { body: { data: 1 } },
  { body: { data: { nope: 1 }, nope: 1 } },
  { body: { data: Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`k${at}`, 1])) } },
];
const badHeaders: readonly AskOptions[] = [
  { headers: { "X-Service-Timezone": "Mars/Base" } },
  { headers: { "Idempotency-Key": "\u0080" } },
  { headers: { "If-Match": "nonsense" } },
];

/** The tus protocol requires its version before anything else. */
const versionOf = (path: string) =>
  path.startsWith("/api/files/uploads/") ? { "Tus-Resumable": "1.0.0" } : {};

const badQueries = ["?nope=1&nope=2", "?limit=x&fields=nope&where[nope][_eq]=1"];

/** Returns each variant without a query, and each bad query with one of the variants. */
function faultyRequests(variants: readonly AskOptions[]): [string, AskOptions][] {
  const bad = badQueries.flatMap((query, index): [string, AskOptions][] => {
    const options = variants[index % variants.length];
    return options === undefined ? [] : [[query, options]];
  });
  return [...variants.map((options): [string, AskOptions] => ["", options]), ...bad];
}

describe("a path with an unknown name", () => {
  it("returns 404 on every route, regardless of other faults of the request", async () => {
    const all = await routes();
    expect(all.length).toBeGreaterThan(80);
    for (const [method, path] of all) {
      const takesBody = ["POST", "PATCH", "PUT"].includes(method);
      const variants = [
        ...(takesBody ? badBodies : [{}]),
        ...(path.startsWith("/api/:schema")
          ? badHeaders.map((one) => ({ ...one, ...(takesBody ? { body: { data: {} } } : {}) }))
          : []),
      ];
      for (const address of addressesOf(path)) {
        const isCreated = creates.includes(`${method} ${path}`) && address.endsWith("/nope");
        if (isCreated && !address.includes("/nope/")) continue;
        for (const [query, options] of faultyRequests(variants)) {
          const answer = await environment.ask(method, address + query, {
            as: environment.admin.secret,
            ...options,
            headers: { ...options.headers, ...versionOf(path) },
          });
          const told = [method, path, address + query, JSON.stringify(options).slice(0, 80)];
          expect([...told, answer.status, answer.faults.length]).toEqual([...told, 404, 1]);
        }
      }
    }
  }, 240_000);

  it("gets the same response as a path whose object the caller may not see", async () => {
    const write = (table: string, options: AskOptions) =>
      environment.ask("PATCH", `/api/public/table/${table}/1?nope=1`, {
        as: environment.member.secret,
        ...options,
      });
    for (const options of [...badBodies, { body: { data: {} } }]) {
      const [hidden, missing] = [await write("hidden", options), await write("nope", options)];
      expect([hidden.status, hidden.text]).toEqual([404, missing.text]);
    }
  });

  it("is not reported to a caller who may write and not read", async () => {
    const { database } = environment.test;
    await database.query(
      `insert into system.roles (name) values ('Writers');
       insert into system.role_members (role_id, user_id) select r.id, '${environment.member.id}' from system.roles r where r.name = 'Writers'`,
    );
    await database.query("create table public.drops (id int primary key, name text)");
    await database.query(
      `update system.resources set exposed_methods = '{POST,PATCH}' where relation_name = 'drops'`,
    );
    await database.query(
      `insert into system.grants (role_id, resource_id, action, all_fields)
       select r.id, s.id, a, true from system.roles r, system.resources s, unnest('{CREATE,UPDATE}'::text[]) a
       where r.name = 'Writers' and s.relation_name = 'drops'`,
    );
    for (const [method, path] of [
      ["POST", "/api/public/table/drops"],
      ["PATCH", "/api/public/table/drops/1"],
    ] as const) {
      const answer = await environment.ask(method, path, {
        as: environment.member.secret,
        raw: "{",
        headers: json,
      });
      expect([method, answer.status, answer.faults]).toEqual([method, 400, ["BODY_INVALID"]]);
    }
  });
});

describe("a path with existing names", () => {
  it("returns the other faults of the request", async () => {
    for (const [method, path, fault] of [
      ["PATCH", "/api/public/table/things", "BODY_INVALID"],
      ["PATCH", "/api/public/table/things/1", "BODY_INVALID"],
      ["PATCH", `/admin/api/roles/${known["/admin/api/roles/:id"]}`, "BODY_INVALID"],
      ["POST", "/admin/api/schema/public/tables", "BODY_INVALID"],
    ] as const) {
      const answer = await environment.ask(method, path, {
        as: environment.admin.secret,
        raw: "{",
        headers: json,
      });
      expect([method, path, answer.status, answer.faults]).toEqual([method, path, 400, [fault]]);
    }
  });
});
