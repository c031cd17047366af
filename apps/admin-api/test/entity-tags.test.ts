// Tiers: usual, topologies.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
const ids: Record<string, string> = {};
const definition = {
  trigger: { kind: "webhook", access: "AUTHENTICATED" },
  steps: [{ id: "end", kind: "finish", result: 1 }],
};
const text = { id: "about", kind: "TEXT", definition: { markdown: "Notes" } };
beforeAll(async () => {
  api = await openTestEnvironment();
  await api.test.database.query("create table notes (id bigint primary key, text text)");
  const create = async (path: string, data: object): Promise<string> =>
    (await api.ask("POST", path, data)).body.data.id;
  ids.roles = await create("/roles", { name: "Clerks" });
  ids.users = await create("/users", { email: "clerk@example.com", name: "Kim" });
  const { data } = (await api.ask("GET", "/resources?search=notes")).body;
  ids.grants = await create("/grants", {
    ...{ roleId: ids.roles, resourceId: data[0].id, action: "READ", fields: ["id"] },
    rowFilter: { id: { _lt: 100 } },
  });
  ids["auth-providers"] = await create("/auth-providers", {
    ...{ key: "corp", name: "Corp", kind: "oidc", issuer: "https://id.example.com" },
    ...{ clientId: "rows", clientSecret: "a secret of the office" },
  });
  await api.ask("PATCH", `/resources/${data[0].id}`, { exposedMethods: ["GET"] });
  ids["data-views"] = await create("/data-views", { name: "Notes", resourceId: data[0].id });
  ids.resources = data[0].id;
  ids.tokens = await create("/tokens", { userId: api.admin.id, name: "script", plane: "admin" });
  ids.dashboards = await create("/dashboards", { name: "Notes" });
  ids.workflows = await create("/workflows", { slug: "tidy", name: "Tidy", definition });
});
afterAll(() => api.test.drop());

describe.each<{ kind: string; of?: () => string; changes: object[] }>([
  { kind: "roles", changes: [{ name: "Porters" }, { name: "Packers" }] },
  { kind: "users", changes: [{ name: "Kari" }, { name: "Knut" }] },
  { kind: "grants", changes: [{ fields: ["id", "text"] }, { fields: null }] },
  { kind: "auth-providers", changes: [{ name: "Office" }, { enabled: false }] },
  { kind: "data-views", changes: [{ orderBy: ["-id"] }, { name: "All notes" }] },
  { kind: "dashboards", changes: [{ panels: [text] }, { name: "All notes" }] },
  {
    kind: "workflows",
    changes: [{ name: "Tidy up" }, { definition: { ...definition, steps: [] } }],
  },
  { kind: "resources", changes: [{ exposedMethods: [] }, { title: "{text}" }] },
  {
    kind: "columns",
    of: () => `/resources/${ids.resources}/columns/text`,
    changes: [{ label: "Note" }, { label: "Remark" }],
  },
  { kind: "tokens", changes: [{ name: "job" }, { description: "runs at night" }] },
  {
    kind: "settings",
    of: () => "/settings",
    changes: [{ "data.max_limit": 900 }, { "system.timezone": "Asia/Tokyo" }],
  },
])("one of the $kind", ({ kind, of, changes: [first = {}, second = {}] }) => {
  const path = of ?? (() => `/${kind}/${ids[kind]}`);
  const tagOf = async () => (await api.ask("GET", path())).headers.get("etag") ?? "";
  const change = (data: object, tag: string) =>
    api.ask("PATCH", path(), data, undefined, { "If-Match": tag });

  it("is not changed with the tag of an older version", async () => {
    const read = await tagOf();
    const changed = await change(first, read);
    expect([changed.status, changed.headers.get("etag")]).toEqual([200, await tagOf()]);
    const before = await api.traces();
    for (const data of [second, {}]) {
      const refused = await change(data, read);
      expect([refused.status, refused.faults]).toEqual([412, ["PRECONDITION_FAILED"]]);
    }
    expect(changed.body).toMatchObject((await api.ask("GET", path())).body);
    expect(await api.traces()).toBe(before);
    expect((await change({}, await tagOf())).status).toBe(200);
    expect((await change({}, "*")).status).toBe(200);
    expect((await change({}, "tag")).faults).toEqual(["QUERY_INVALID If-Match"]);
  });

  it("is changed by one of many requests with the same tag", async () => {
    const read = await tagOf();
    const answers = await Promise.all(Array.from({ length: 8 }, () => change(second, read)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
  });
});

it("the columns of a resource are not changed with the tag of older ones", async () => {
  const path = `/resources/${ids.resources}/columns`;
  const tagOf = async () => (await api.ask("GET", path)).headers.get("etag") ?? "";
  const change = (label: string, tag: string) =>
    api.ask("PATCH", path, [{ name: "id", label }], undefined, { "If-Match": tag });
  const read = await tagOf();
  const changed = await change("Number", read);
  expect([changed.status, changed.headers.get("etag")]).toEqual([200, await tagOf()]);
  expect((await change("No.", read)).faults).toEqual(["PRECONDITION_FAILED"]);
  // The tag of the resource covers its columns, but no statistics.
  const resource = async () =>
    (await api.ask("GET", `/resources/${ids.resources}`)).headers.get("etag");
  const before = await resource();
  await api.test.database.query("insert into notes values (1, 'one')");
  await api.test.database.query("analyze notes");
  expect(await resource()).toBe(before);
  await change("No.", await tagOf());
  expect(await resource()).not.toBe(before);
});

it("a route that compares nothing refuses If-Match", async () => {
  const condition = { "If-Match": "*" };
  const before = await api.traces();
  for (const [method, path, data] of [
    ["DELETE", `/roles/${ids.roles}`, undefined],
    ["POST", "/roles", { name: "Never" }],
    ["PATCH", "/resources", [{ id: ids.resources, label: "Never" }]],
    ["POST", `/tokens/${ids.tokens}/revoke`, undefined],
    ["GET", "/settings", undefined],
  ] as const) {
    const answer = await api.ask(method, path, data, undefined, condition);
    expect([method, path, answer.status, answer.faults]).toEqual([
      ...[method, path, 400],
      ["QUERY_INVALID If-Match"],
    ]);
  }
  expect(await api.traces()).toBe(before);
});

it("a draft that has changed since it was read is not published", async () => {
  const path = `/workflows/${ids.workflows}`;
  const tagOf = async () => (await api.ask("GET", path)).headers.get("etag") ?? "";
  const publish = (tag: string) =>
    api.ask("POST", `${path}/publish`, undefined, undefined, { "If-Match": tag });
  const read = await tagOf();
  await api.ask("PATCH", path, { definition: { ...definition, priority: "LOW" } });
  const refused = await publish(read);
  expect([refused.status, refused.faults]).toEqual([412, ["PRECONDITION_FAILED"]]);
  expect((await api.ask("GET", `${path}/versions`)).body.data).toEqual([]);
  const published = await publish(await tagOf());
  expect([published.status, published.body.data.published.number]).toEqual([200, 1]);
  // Versions and state are not part of the draft.
  await api.ask("POST", `${path}/enable`);
  expect(published.headers.get("etag")).toBe(await tagOf());
});

it("a member and a sign-in do not affect the tags of a role and a user", async () => {
  const tags = async () => [
    (await api.ask("GET", `/roles/${ids.roles}`)).headers.get("etag"),
    (await api.ask("GET", `/users/${ids.users}`)).headers.get("etag"),
  ];
  const before = await tags();
  await api.ask("POST", `/roles/${ids.roles}/members`, { userId: ids.users });
  await api.test.database.query("update system.users set last_sign_in_at = now()");
  expect(await tags()).toEqual(before);
});
