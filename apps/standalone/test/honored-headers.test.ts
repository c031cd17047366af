// Tiers: usual, topologies.
import { openDatabase } from "@rowhouse/db";
import { signIn, startTestEnvironment, type TestEnvironment } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "./client.ts";

// Every header and parameter that the documents of the Data API name, on every route of rows.

let environment: TestEnvironment;
let client: Client;
let admin: string;
let tag: string;

beforeAll(async () => {
  environment = await startTestEnvironment();
  client = createClient(environment);
  admin = await client.signIn(signIn);
  const database = openDatabase({ url: environment.test.ownerUrl, applicationName: "test" });
  await database.query("create table public.things (id int primary key, name text)");
  await database.query("insert into public.things values (1, 'one'), (2, 'two')");
  await database.query("create view public.shown as select * from public.things");
  await database.close();
  for (const [name, methods] of [
    ["things", ["GET", "POST", "PATCH", "DELETE"]],
    ["shown", ["GET"]],
  ] as const) {
    const { body } = await client.ask("GET", `/admin/api/resources?search=${name}`, { as: admin });
    const path = `/admin/api/resources/${body.data[0].id}`;
    const data = { exposedMethods: methods };
    expect((await client.ask("PATCH", path, { as: admin, body: { data } })).status).toBe(200);
  }
  const read = await client.ask("GET", routes.read[1], { as: admin });
  tag = read.headers.get("etag") ?? "";
});
afterAll(() => environment.stop());

const routes = {
  list: ["GET", "/api/public/table/things"],
  view: ["GET", "/api/public/view/shown"],
  read: ["GET", "/api/public/table/things/1"],
  create: ["POST", "/api/public/table/things"],
  upsert: ["POST", "/api/public/table/things?on_conflict=id&resolution=merge"],
  import: ["POST", "/api/public/table/things?dry_run=false"],
  update: ["PATCH", "/api/public/table/things/1"],
  updateMany: ["PATCH", "/api/public/table/things?where[id][_eq]=1&max_affected=1"],
  remove: ["DELETE", "/api/public/table/things/1"],
  removeMany: ["DELETE", "/api/public/table/things?where[id][_eq]=1&max_affected=1"],
} as const;
type Route = keyof typeof routes;

/** Sends a request that must not have any effect. */
const refused = async (route: Route, headers: Record<string, string>, parameter = "") => {
  const [method, path] = routes[route];
  const join = path.includes("?") ? "&" : "?";
  const { status, body } = await client.ask(
    method,
    parameter === "" ? path : `${path}${join}${parameter}`,
    {
      as: admin,
      headers: route === "import" ? { "Content-Type": "text/csv", ...headers } : headers,
      ...(route === "import"
        ? { file: "id,name\n1,changed\n" }
        : method === "POST" || method === "PATCH"
          ? { body: { data: { id: 1, name: "changed" } } }
          : {}),
    },
  );
  return [status, body.errors?.[0].code, body.errors?.[0].path];
};
const names = Object.keys(routes) as Route[];
const except = (...honoring: Route[]) => names.filter((name) => !honoring.includes(name));

const headers: readonly (readonly [name: string, value: string, refusing: readonly Route[]])[] = [
  ["If-Match", '"x"', except("update", "remove")],
  ["If-Match", "*", except("update", "remove")],
  ["If-None-Match", '"x"', except("read", "list", "view")],
  ["If-None-Match", "*", except("read", "list", "view")],
  ["Prefer", "return=minimal", ["list", "view", "read"]],
  ["Prefer", "etags", except("list")],
  ["Prefer", "respond-async", names],
  ["Idempotency-Key", "k", ["updateMany", "removeMany"]],
  ["Accept", "text/csv", except("list", "view")],
  ["Accept", "application/x-ndjson", except("list", "view")],
  ["X-Service-Timezone", "Nowhere/Else", names],
  ["X-Service-Timing", "maybe", names],
];

describe("a documented header that a route does not honor is a 400", () => {
  test.each(
    headers.flatMap(([name, value, refusing]) =>
      refusing.map((route) => [name, value, route] as const),
    ),
  )("%s: %s on %s", async (name, value, route) => {
    expect(await refused(route, { [name]: value })).toEqual([400, "QUERY_INVALID", name]);
  });
});

const parameters: readonly (readonly [parameter: string, refusing: readonly Route[]])[] = [
  ["fields=id", except("list", "view", "read")],
  ["deep[x][limit]=1", names],
  ["search=a", except("list", "view")],
  ["order_by=id", except("list", "view")],
  ["limit=1", except("list", "view")],
  ["offset=1", except("list", "view")],
  ["cursor=x", names],
  ["count=exact", except("list", "view")],
  ["aggregate=count", except("list", "view")],
  ["group_by=name", except("list", "view")],
  ["having[count][_gt]=1", names],
  ["where[name][_eq]=two", ["read", "create", "upsert", "import", "update", "remove"]],
  ["max_affected=1", except("updateMany", "removeMany")],
  ["on_conflict=id", except("upsert")],
  ["resolution=ignore", except("upsert")],
  ["dry_run=true", names],
];

describe("a documented parameter that a route does not honor is a 400", () => {
  test.each(
    parameters.flatMap(([parameter, refusing]) =>
      refusing.map((route) => [parameter, route] as const),
    ),
  )("%s on %s", async (parameter, route) => {
    const [status] = await refused(route, {}, parameter);
    expect(status).toBe(400);
  });
});

describe("a documented header that a route honors", () => {
  const ask = (route: Route, sent: Record<string, string>, data?: unknown) => {
    const [method, path] = routes[route];
    const body = data === undefined ? {} : { body: { data } };
    return client.ask(method, path, { as: admin, headers: sent, ...body });
  };

  test("If-None-Match of a known version gives 304, of another one the row", async () => {
    for (const value of [tag, `"x", ${tag}`, `W/${tag}`, "*"]) {
      const { status, body, headers: sent } = await ask("read", { "If-None-Match": value });
      expect([status, body, sent.get("etag")]).toEqual([304, undefined, tag]);
    }
    expect((await ask("read", { "If-None-Match": '"x"' })).status).toBe(200);
    expect((await ask("read", { "If-None-Match": "x" })).status).toBe(400);
  });

  test("Prefer: etags on a list gives the tag of each row", async () => {
    const { body, headers: sent } = await ask("list", { Prefer: "etags" });
    expect(body.meta.etags).toEqual([tag, expect.stringMatching(/^"[0-9a-f]{32}"$/)]);
    expect(sent.get("preference-applied")).toBe("etags");
  });

  test("nothing above has changed a row", async () => {
    const { body } = await ask("list", {});
    expect(body.data).toEqual([
      { id: 1, name: "one" },
      { id: 2, name: "two" },
    ]);
  });

  test("If-Match on one row is compared, and a repeated key on one row is accepted", async () => {
    expect((await ask("update", { "If-Match": '"x"' }, { name: "uno" })).status).toBe(412);
    const changed = await ask(
      "update",
      { "If-Match": tag, "Idempotency-Key": "k" },
      { name: "uno" },
    );
    expect(changed.status).toBe(200);
    expect((await ask("update", { "If-Match": tag }, { name: "ein" })).status).toBe(412);
    expect((await ask("remove", { "If-Match": tag })).status).toBe(412);
  });
});
