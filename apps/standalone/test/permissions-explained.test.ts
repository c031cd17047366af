// Tiers: usual, topologies.
import { createRole, createUser, expose, type TestUser } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let environment: TestEnvironment;
let clerk: TestUser;
const roles: Record<string, string> = {};
const resources: Record<string, string> = {};
const grants: Record<string, string> = {};

beforeAll(async () => {
  environment = await openTestEnvironment();
  const { database } = environment.test;
  await database.query(`
    create table public.teams (id int primary key, name text, budget int);
    create table public.tasks (id int generated always as identity primary key, team_id int references public.teams (id),
      owner uuid, title text, secret text, points int);
    create table public.hidden (id int primary key);
    create table public.keyless (a int);
    create view public.titles as select id, title from public.tasks`);
  await expose(database, "public", "teams", "GET");
  await expose(database, "public", "tasks", "GET", "POST", "PATCH");
  await expose(database, "public", "keyless", "GET", "DELETE");
  await expose(database, "public", "titles", "GET");
  roles.Clerks = await createRole(database, "Clerks");
  roles.Reviewers = await createRole(database, "Reviewers");
  clerk = await createUser(database, "clerk@example.com", "Clerks", "Reviewers");
  await createUser(database, "idle@example.com");
  for (const resource of (await administer("GET", "/resources?limit=1000")).body.data) {
    resources[resource.name] = resource.id;
  }
  const mine = { owner: { _eq: "$USER.id" } };
  await grant("mine", "Clerks", "tasks", "READ", {
    fields: ["id", "title", "owner", "team_id"],
    rowFilter: mine,
  });
  await grant("all", "Reviewers", "tasks", "READ", {
    fields: ["id", "points"],
    rowFilter: { points: { _gt: 3 } },
  });
  await grant("write", "Clerks", "tasks", "CREATE", {
    fields: ["title", "points"],
    check: mine,
    presets: { owner: "$USER.id" },
  });
  await grant("change", "Clerks", "tasks", "UPDATE", { fields: ["title"], rowFilter: mine });
  await grant("remove", "Clerks", "tasks", "DELETE", {});
  await grant("teams", "Clerks", "teams", "READ", { fields: ["id", "name"] });
  await grant("keyless", "Clerks", "keyless", "READ", {});
});
afterAll(() => environment.stop());

const administer = (method: string, path: string, data?: unknown) =>
  environment.ask(method, `/admin/api${path}`, {
    as: environment.admin.secret,
    ...(data === undefined ? {} : { body: { data } }),
  });
async function grant(
  key: string,
  role: string,
  resource: string,
  action: string,
  terms: object,
): Promise<void> {
  const answer = await administer("POST", "/grants", {
    roleId: roles[role],
    resourceId: resources[resource],
    action,
    ...terms,
  });
  expect([key, answer.status]).toEqual([key, 201]);
  grants[key] = answer.body.data.id;
}
const explain = async (method: string, path: string, body?: unknown, userId = clerk.id) => {
  const answer = await administer("POST", "/permissions/explain", {
    userId,
    method,
    path,
    ...(body === undefined ? {} : { body }),
  });
  expect(answer.status).toBe(200);
  return answer.body.data;
};

const data = (values: object) => ({ data: values });

describe("POST /admin/api/permissions/explain", () => {
  it("contains the grants, the fields, the conditions and the SQL of a request, and executes nothing", async () => {
    const answer = await explain(
      "GET",
      "/api/public/table/tasks?fields=id,title,team.name&where[points][_gt]=5",
    );
    expect(answer).toMatchObject({ outcome: "ALLOWED", refusal: null, action: "READ" });
    expect(answer.roles.map(({ name }: { name: string }) => name)).toEqual(["Clerks", "Reviewers"]);
    expect(answer.grants).toMatchObject(
      [
        { roleName: "Clerks", action: "READ", rowFilter: { owner: { _eq: "$USER.id" } } },
        { roleName: "Reviewers", action: "READ", rowFilter: { points: { _gt: 3 } } },
      ].sort((a) => (a.roleName === answer.grants[0].roleName ? -1 : 1)),
    );
    expect(answer.relations).toMatchObject([
      { name: "tasks", everyRow: false, hiddenFields: ["secret"] },
      { name: "teams", everyRow: true, hiddenFields: ["budget"] },
    ]);
    const field = (name: string) =>
      answer.relations[0].fields.find((each: { name: string }) => each.name === name);
    expect(field("id")).toMatchObject({ everyRow: true });
    expect(field("id").grantIds.sort()).toEqual([grants.mine, grants.all].sort());
    expect(field("title")).toEqual({ name: "title", grantIds: [grants.mine], everyRow: false });
    expect(answer.sql).toContain('from "public"."tasks" t');
    expect(answer.parameters).toContainEqual({ source: "FILTER", value: "5" });
    expect(answer.parameters).toContainEqual({ source: "CALLER", value: null });
    expect(answer.sql).toContain(`$${answer.parameters.length}`);
  });

  it("a row that a row filter hides is refused in the stage of rows, by each grant, without a value of the row", async () => {
    const { database } = environment.test;
    // Pairs of rows that differ only in what no row filter names.
    await database.query(
      `insert into public.tasks (id, owner, title, secret, points) overriding system value values
         (901, null, 'a', 's1', 1), (902, null, 'b', 's2', 1), (903, $1::uuid, 'a', 's1', 1),
         (904, $1::uuid, 'b', null, 1), (905, null, 'a', 's1', 9)`,
      [clerk.id],
    );
    const stageOf = async (method: string, id: number, body?: unknown) => {
      const path = `/api/public/table/tasks/${id}`;
      const { outcome, refusal, row } = await explain(method, path, body);
      const passes = row.grants
        .map((each: { roleName: string; passes: boolean }) => `${each.roleName} ${each.passes}`)
        .sort();
      return { outcome, refusal, exists: row.exists, passes };
    };
    const hidden = await stageOf("GET", 901);
    expect(hidden).toEqual({
      outcome: "DENIED",
      refusal: {
        ...{ stage: "ROW", status: 404 },
        errors: [
          {
            ...{ code: "NOT_FOUND", message: "Not found" },
            reason: "The row filter of no grant matches the row",
          },
        ],
      },
      ...{ exists: true, passes: ["Clerks false", "Reviewers false"] },
    });
    expect(await stageOf("GET", 902)).toEqual(hidden);
    const own = await stageOf("GET", 903);
    expect(own).toMatchObject({ outcome: "ALLOWED", passes: ["Clerks true", "Reviewers false"] });
    expect(await stageOf("GET", 904)).toEqual(own);
    expect(await stageOf("GET", 905)).toMatchObject({ passes: ["Clerks false", "Reviewers true"] });
    const change = data({ title: "x" });
    expect(await stageOf("PATCH", 905, change)).toMatchObject({
      ...{ outcome: "DENIED", passes: ["Clerks false"] },
    });
    expect(await stageOf("PATCH", 903, change)).toMatchObject({ outcome: "ALLOWED" });
    expect(await stageOf("GET", 999)).toMatchObject({
      refusal: { stage: "ROW", errors: [{ reason: "There is no row with this id" }] },
      ...{ exists: false, passes: [] },
    });
    // The answer of the service itself, and a request that names no row.
    for (const [id, status] of [[901, 404] as const, [903, 200] as const]) {
      const path = `/api/public/table/tasks/${id}`;
      expect((await environment.ask("GET", path, { as: clerk.secret })).status).toBe(status);
    }
    expect((await explain("GET", "/api/public/table/tasks")).row).toBe(null);
    const [changed] = await database.query("select title from public.tasks where id = 903");
    expect(changed).toEqual({ title: "a" });
    const asked = environment.ask("POST", "/admin/api/permissions/explain", {
      as: clerk.secret,
      body: data({ userId: clerk.id, method: "GET", path: "/api/public/table/tasks/901" }),
    });
    expect((await asked).status).toBe(403);
    await database.query("delete from public.tasks where id > 900");
  });

  it("prepares the explained statement in PostgreSQL", async () => {
    await environment.test.database.query(
      "insert into public.tasks (id, owner, points) overriding system value values (1, $1::uuid, 5)",
      [clerk.id],
    );
    const tasks = () => environment.test.database.query("select * from public.tasks");
    const before = await tasks();
    for (const [method, path, body] of [
      ["GET", "/api/public/table/tasks?where[team.name][_eq]=x&search=y&order_by=-title"],
      ["GET", "/api/public/table/tasks?aggregate=count&group_by=team_id"],
      ["GET", "/api/public/table/tasks/1"],
      ["POST", "/api/public/table/tasks", data({ title: "x" })],
      ["POST", "/api/public/table/tasks", { data: [{ title: "x" }, { title: "y", points: 1 }] }],
      ["PATCH", "/api/public/table/tasks/1", data({ title: "x" })],
      ["PATCH", "/api/public/table/tasks?where[id][_lt]=9&max_affected=3", data({ title: "x" })],
    ] as const) {
      const { sql, outcome } = await explain(method, path, body);
      expect(outcome).toBe("ALLOWED");
      await environment.test.database.query(`explain (generic_plan) ${sql}`);
    }
    expect(await tasks()).toEqual(before);
    await environment.test.database.query("delete from public.tasks");
  });

  it.each<[string, string, unknown, string, string | null]>([
    ["GET", "/api/public/table/nope", undefined, "PLAN", "There is no such table or view"],
    ["GET", "/api/public/view/tasks", undefined, "PLAN", "It is a table, and no view"],
    ["GET", "/api/public/table/titles", undefined, "PLAN", "It is a view, and no table"],
    ["GET", "/api/public/table/hidden", undefined, "PLAN", "It exposes no method: it is hidden"],
    ["GET", "/api/public/table/keyless/1", undefined, "PLAN", "It has no primary key"],
    ["GET", "/api/public/table/tasks/1,2", undefined, "PLAN", "An id of it has 1 parts"],
    [
      "GET",
      "/api/public/view/titles",
      undefined,
      "AUTHORIZE",
      "No role of the user has a grant on it",
    ],
    ["DELETE", "/api/public/table/tasks/1", undefined, "AUTHORIZE", "It does not expose DELETE"],
    [
      "DELETE",
      "/api/public/table/keyless?where[a][_eq]=1&max_affected=1",
      undefined,
      "AUTHORIZE",
      "No role of the user has a grant for DELETE",
    ],
    [
      "GET",
      "/api/public/table/tasks?fields=nope",
      undefined,
      "AUTHORIZE",
      "There is no such field",
    ],
    [
      "GET",
      "/api/public/table/tasks?fields=secret",
      undefined,
      "AUTHORIZE",
      "No grant for READ lists it on public.tasks",
    ],
    [
      "GET",
      "/api/public/table/tasks?where[secret][_eq]=x",
      undefined,
      "AUTHORIZE",
      "No grant for READ lists it on public.tasks",
    ],
    [
      "GET",
      "/api/public/table/tasks?order_by=team.budget",
      undefined,
      "AUTHORIZE",
      "No grant for READ lists it on public.teams",
    ],
    [
      "GET",
      "/api/public/table/teams?fields=tasks.secret",
      undefined,
      "AUTHORIZE",
      "No grant for READ lists it on public.tasks",
    ],
    ["POST", "/api/public/table/tasks", data({ nope: 1 }), "AUTHORIZE", "There is no such field"],
    [
      "POST",
      "/api/public/table/tasks",
      data({ id: 1 }),
      "AUTHORIZE",
      "It takes no value from a caller",
    ],
    ["POST", "/api/public/table/tasks", data({ owner: "x" }), "AUTHORIZE", "A grant presets it"],
    [
      "POST",
      "/api/public/table/tasks",
      data({ secret: "x" }),
      "AUTHORIZE",
      "No grant for CREATE lists it",
    ],
    [
      "PATCH",
      "/api/public/table/tasks/1",
      data({ points: 1 }),
      "AUTHORIZE",
      "No grant for UPDATE lists it",
    ],
    ["POST", "/api/public/table/tasks", data({ points: "many" }), "BIND", null],
    ["GET", "/api/public/table/tasks?limit=9999", undefined, "PARSE", null],
    ["GET", "/api/public/table/tasks?wat=1", undefined, "PARSE", null],
    ["POST", "/api/public/table/tasks", undefined, "PARSE", null],
    ["PATCH", "/api/public/table/tasks?where[id][_eq]=1", data({ title: "x" }), "PARSE", null],
    ["POST", "/api/public/view/titles", data({ title: "x" }), "PARSE", null],
    ["GET", "/api/auth/me", undefined, "PARSE", "The path is not that of rows"],
    ["GET", "/api/public/view/titles/1", undefined, "PARSE", "The path is not that of rows"],
  ])(
    "of %s %s %j names %s as the stage that rejects it, with the reason",
    async (method, path, body, stage, reason) => {
      const answer = await explain(method, path, body);
      expect(answer.outcome).toBe("DENIED");
      expect([answer.refusal.stage, answer.refusal.errors[0].reason]).toEqual([stage, reason]);
      if (path.startsWith("/api/auth")) return;
      // The explanation equals the user's result if the row exists: the same status, codes, messages and paths.
      await environment.test.database.query(
        `insert into public.tasks (id, owner) overriding system value values (1, '${clerk.id}')`,
      );
      const real = await environment.ask(method, path, {
        as: clerk.secret,
        ...(method === "GET" || method === "DELETE" ? {} : { body: body ?? {} }),
      });
      await environment.test.database.query("delete from public.tasks where id = 1");
      if (body === undefined && method === "POST") return;
      expect(real.status).toBe(answer.refusal.status);
      expect(real.body.errors).toEqual(
        answer.refusal.errors.map(({ reason: _, ...fault }: { reason: unknown }) => fault),
      );
    },
  );

  it("names the reasons that exclude accounts, and states that administrators need no grant", async () => {
    const [idle] = (await administer("GET", "/users?search=idle@")).body.data;
    const refused = await explain("GET", "/api/public/table/tasks", undefined, idle.id);
    expect(refused.refusal).toMatchObject({
      stage: "AUTHENTICATE",
      status: 401,
      errors: [{ reason: "No role of the user has API access" }],
    });
    await administer("POST", `/users/${idle.id}/deactivate`);
    const inactive = await explain("GET", "/api/public/table/tasks", undefined, idle.id);
    expect(inactive.refusal.errors[0].reason).toBe("The account is deactivated");
    const admin = await explain("GET", "/api/public/table/tasks", undefined, environment.admin.id);
    expect(admin).toMatchObject({
      outcome: "ALLOWED",
      grants: [],
      relations: [{ everyRow: true, hiddenFields: [] }],
    });
    const [workflows] = (await administer("GET", "/users?search=workflows@")).body.data;
    const system = await explain("GET", "/api/public/table/tasks", undefined, workflows.id);
    expect(system.refusal).toMatchObject({ stage: "AUTHORIZE", status: 404 });
  });

  it("rejects an unsupported request, with its path", async () => {
    const ask = (body: object) => administer("POST", "/permissions/explain", body);
    const request = { method: "GET", path: "/api/public/table/tasks" };
    expect(
      (await ask({ userId: "00000000-0000-4000-8000-000000000000", ...request })).faults,
    ).toEqual(["VALUE_INVALID /data/userId"]);
    expect((await ask({ userId: "x", method: "PUT", more: 1 })).faults.sort()).toEqual([
      "BODY_INVALID /data/method",
      "BODY_INVALID /data/more",
      "BODY_INVALID /data/path",
      "BODY_INVALID /data/userId",
    ]);
  });
});

describe("GET /admin/api/users/{id}/permissions", () => {
  const permissions = async (userId = clerk.id, query = "") =>
    (await administer("GET", `/users/${userId}/permissions${query}`)).body;

  it("lists for each resource and action the effective grants, with their fields and rows", async () => {
    const { data: all } = await permissions();
    expect(all).toMatchObject({
      userId: clerk.id,
      active: true,
      isAdministrator: false,
      hasApiAccess: true,
      roles: [{ name: "Clerks" }, { name: "Reviewers" }],
    });
    expect(all.resources.map(({ name }: { name: string }) => name)).toEqual([
      "keyless",
      "tasks",
      "teams",
    ]);
    const [, tasks] = all.resources;
    const [read, create, update, remove] = tasks.actions;
    expect(read).toMatchObject({
      action: "READ",
      isGranted: true,
      isExposed: true,
      everyRow: false,
    });
    expect(read.fields.map(({ name }: { name: string }) => name)).toEqual([
      "id",
      "team_id",
      "owner",
      "title",
      "points",
    ]);
    expect(read.fields.at(-1)).toEqual({ name: "points", grantIds: [grants.all], everyRow: false });
    expect(create).toMatchObject({ action: "CREATE", grantIds: [grants.write], everyRow: false });
    expect(create.fields.map(({ name }: { name: string }) => name)).toEqual(["title", "points"]);
    expect(update.fields).toEqual([{ name: "title", grantIds: [grants.change], everyRow: false }]);
    expect(remove).toMatchObject({
      action: "DELETE",
      isGranted: true,
      isExposed: false,
      everyRow: true,
    });
    expect(tasks.grants.find(({ id }: { id: string }) => id === grants.write)).toMatchObject({
      roleName: "Clerks",
      check: { owner: { _eq: "$USER.id" } },
      presets: { owner: "$USER.id" },
      effective: true,
      lost: [],
    });
  });

  it("can be filtered and paged; an administrator may do everything", async () => {
    const first = await permissions(clerk.id, "?limit=2");
    const rest = await permissions(clerk.id, `?limit=2&cursor=${first.meta.nextCursor}`);
    expect([...first.data.resources, ...rest.data.resources].map(({ name }) => name)).toEqual([
      "keyless",
      "tasks",
      "teams",
    ]);
    expect((await permissions(clerk.id, "?search=TEAMS")).data.resources).toHaveLength(1);
    expect((await permissions(clerk.id, "?schema=system")).data.resources).toEqual([]);
    const { data: admin } = await permissions(environment.admin.id, "?search=public.tasks");
    expect(admin).toMatchObject({ isAdministrator: true });
    expect(admin.resources[0].actions[0]).toMatchObject({
      isGranted: true,
      everyRow: true,
      grantIds: [],
    });
    expect(
      (await administer("GET", "/users/00000000-0000-4000-8000-000000000000/permissions")).status,
    ).toBe(404);
  });

  it("shows a grant that lost a column as ineffective, and names the column", async () => {
    const { database } = environment.test;
    await database.query(
      "create table public.stale (id int primary key, a int, b int, team_id int references public.teams (id))",
    );
    await expose(database, "public", "stale", "GET");
    const [resource] = (await administer("GET", "/resources?search=public.stale")).body.data;
    resources.stale = resource.id;
    await grant("stale", "Clerks", "stale", "READ", {
      fields: ["id", "a"],
      rowFilter: { _or: [{ b: { _eq: 1 } }, { "team.name": { _eq: "red" } }] },
    });
    const told = (await administer("GET", `/grants/${grants.stale}`)).body.data;
    // A path keeps its names, regardless of the column's number in the other table.
    expect(told).toMatchObject({
      rowFilter: { _or: [{ b: { _eq: 1 } }, { "team.name": { _eq: "red" } }] },
      effective: true,
      lost: [],
    });
    await database.query("alter table public.stale drop column a");
    expect((await administer("GET", `/grants/${grants.stale}`)).body.data).toMatchObject({
      // A dropped field is removed from the list; nothing depends on it.
      fields: ["id"],
      effective: true,
      lost: [],
    });
    await database.query("alter table public.teams rename column name to title");
    await database.query("alter table public.stale drop column b");
    const [listed] = (await administer("GET", `/grants?search=stale`)).body.data;
    expect(listed).toMatchObject({
      effective: false,
      lost: [
        { part: "rowFilter", name: "team.name" },
        { part: "rowFilter", name: "b" },
      ],
    });
    const { data: all } = await permissions(clerk.id, "?search=public.stale");
    expect(all.resources[0].actions[0]).toMatchObject({
      isGranted: false,
      grantIds: [],
      fields: [],
    });
    const explained = await explain("GET", "/api/public/table/stale");
    expect(explained.refusal.errors[0].reason).toBe(
      "Every grant on it of the user's roles rests on a column that is gone",
    );
  });
});
