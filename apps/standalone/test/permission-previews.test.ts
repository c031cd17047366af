// Tiers: usual, topologies.
import { createRole, createUser, expose, type TestUser } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// An administrator runs a GET as somebody else and must see what that caller receives, to the byte.

let environment: TestEnvironment;
let clerk: TestUser;
const ids: Record<string, string> = {};

const administer = (method: string, path: string, data?: unknown) =>
  environment.ask(method, `/admin/api${path}`, {
    as: environment.admin.secret,
    ...(data === undefined ? {} : { body: { data } }),
  });

async function create(path: string, data: object): Promise<string> {
  const answer = await administer("POST", path, data);
  expect([answer.text, answer.status]).toEqual([answer.text, 201]);
  return answer.body.data.id;
}

async function preview(input: object) {
  const answer = await administer("POST", "/permissions/preview", input);
  expect([answer.text, answer.status]).toEqual([answer.text, 200]);
  return answer.body.data as { status: number; contentType: string | null; body: string };
}

const withoutId = (text: string) =>
  text
    .replaceAll(/"requestId":"[^"]*"/g, '"requestId":""')
    .replaceAll(/"asOf":"[^"]*"/g, '"asOf":""');

beforeAll(async () => {
  environment = await openTestEnvironment();
  const { database } = environment.test;
  await database.query(`
    create table public.teams (id int primary key, name text, budget numeric);
    create table public.tasks (id bigint primary key, team_id int references public.teams (id), owner uuid,
      title text, canary text, points numeric);
    create table public.hidden (id int primary key, canary text);
    create sequence public.notes start 100;
    create function public.note() returns int language sql volatile as
      $$ insert into public.hidden values (nextval('public.notes'), 'noted') returning id $$;
    create view public.noisy as select t.id, public.note() as noted from public.tasks t;
    create view public.noisy_late as
      select g as id, case when g = 200000 then public.note() end as noted from generate_series(1, 200000) g`);
  await expose(database, "public", "teams", "GET");
  await expose(database, "public", "tasks", "GET", "PATCH");
  await expose(database, "public", "hidden", "GET");
  await expose(database, "public", "noisy", "GET");
  await expose(database, "public", "noisy_late", "GET");
  await createRole(database, "Clerks");
  await createRole(database, "Readers");
  clerk = await createUser(database, "clerk@example.com", "Clerks", "Readers");
  for (const { id, name } of (await administer("GET", "/resources?limit=1000")).body.data) {
    ids[name] = id;
  }
  for (const { id, name } of (await administer("GET", "/roles")).body.data) ids[name] = id;
  const grant = (roleId: string | undefined, resourceId: string | undefined, terms: object) =>
    create("/grants", { roleId, resourceId, action: "READ", ...terms });
  ids.mine = await grant(ids.Clerks, ids.tasks, {
    fields: ["id", "title", "owner", "points", "team_id"],
    rowFilter: { owner: { _eq: "$USER.id" } },
  });
  await grant(ids.Readers, ids.tasks, {
    fields: ["id", "points"],
    rowFilter: { points: { _gt: 3 } },
  });
  await grant(ids.Clerks, ids.teams, { fields: ["id", "name"] });
  await grant(ids.Clerks, ids.noisy, {});
  await grant(ids.Clerks, ids.noisy_late, {});
  ids.view = await create("/data-views", {
    name: "Open tasks",
    resourceId: ids.tasks,
    fields: ["id", "title", "canary", "team.name"],
    roleIds: [ids.Clerks],
  });
  await create("/data-views", {
    name: "Canary view",
    resourceId: ids.tasks,
    fields: ["id"],
    roleIds: [ids.Readers === undefined ? "" : ids.Administrators],
  });
  await administer("PATCH", `/resources/${ids.tasks}`, { history: true });
  await database.query(
    `insert into public.teams values (1, 'North', 10.50), (2, 'canary team', 1);
     insert into public.tasks values
       (9007199254740993, 1, $1::text::uuid, 'Mine', 'canary 1', 1.10), (2, 1, null, 'canary title', 'canary 2', 5),
       (3, 2, null, 'canary title', 'canary 3', 2)`.replaceAll("$1::text::uuid", `'${clerk.id}'`),
  );
  await database.query("insert into public.hidden values (1, 'canary hidden')");
  await database.query("update public.tasks set points = points, canary = canary || ' changed'");
  await database.query("update public.tasks set title = title || '!' where id > 3");
  await database.query("update public.tasks set title = 'Mine' where id > 3");
});
afterAll(() => environment.stop());

/** Requests of the Data API and of the App API, with their headers. */
const requests = (): [path: string, headers?: Record<string, string>][] => [
  ["/api/public/table/tasks"],
  ["/api/public/table/tasks?fields=id,title,team.name&order_by=-points&limit=1&count=exact"],
  ["/api/public/table/tasks?where[title][_eq]=Mine", { Prefer: "etags" }],
  ["/api/public/table/tasks?where[canary][_eq]=x"],
  ["/api/public/table/tasks?where[nope][_eq]=x"],
  ["/api/public/table/tasks?aggregate=count,sum(points)&group_by=team_id"],
  ["/api/public/table/tasks/9007199254740993"],
  ["/api/public/table/tasks/3"],
  ["/api/public/table/tasks", { Accept: "text/csv" }],
  ["/api/public/table/tasks?fields=id,points", { Accept: "application/x-ndjson" }],
  ["/api/public/table/tasks", { "X-Service-Timezone": "Mars/Olympus" }],
  ["/api/public/table/tasks/2", { Prefer: "etags" }],
  ["/api/public/table/tasks/9007199254740993/history"],
  ["/api/public/table/tasks/9007199254740993/history?limit=nothing"],
  ["/api/public/table/tasks/3/history"],
  ["/api/public/table/teams/1/history"],
  ["/api/public/table/hidden/1/history"],
  ["/api/public/table/teams?limit=nothing"],
  ["/api/public/table/hidden"],
  ["/api/public/table/hidden?limit=nothing"],
  ["/api/public/table/absent"],
  ["/api/public/view/tasks"],
  ["/api/public/nothing"],
  ["/app/api/me"],
  ["/app/api/navigation"],
  [`/app/api/data-views/${ids.view}`],
  [`/app/api/data-views/${ids.view}?count=exact&limit=1`],
  ["/app/api/data-views/00000000-0000-4000-8000-000000000000"],
  ["/app/api/data-views/nothing"],
  ["/app/api/absent"],
];

describe("POST /admin/api/permissions/preview", () => {
  it("returns what the person receives with a session, also for errors", async () => {
    for (const [path, headers = {}] of requests()) {
      const real = await environment.ask("GET", path, { as: clerk.secret, headers });
      const seen = await preview({ userId: clerk.id, path, headers });
      expect([path, seen.status, withoutId(seen.body)]).toEqual([
        path,
        real.status,
        withoutId(real.text),
      ]);
      expect([path, seen.contentType]).toEqual([path, real.headers.get("content-type")]);
      expect([path, seen.body.includes("canary")]).toEqual([
        path,
        seen.status !== 200 && path.includes("canary"),
      ]);
    }
  });

  it("returns what somebody with the roles alone receives: every variable of the user is null", async () => {
    const as = { roleIds: [ids.Clerks, ids.Readers] };
    const tasks = await preview({ ...as, path: "/api/public/table/tasks" });
    // The row that only its owner may read is not among them.
    expect(tasks).toMatchObject({ status: 200, body: '{"data":[{"id":"2","points":"5"}]}' });
    const teams = await preview({ ...as, path: "/api/public/table/teams" });
    const own = await environment.ask("GET", "/api/public/table/teams", { as: clerk.secret });
    expect(teams.body).toBe(own.text);
    const me = JSON.parse((await preview({ ...as, path: "/app/api/me" })).body);
    expect(me.data).toMatchObject({ email: "", isAdministrator: false });
    expect(me.data.roles.map(({ name }: { name: string }) => name).sort()).toEqual([
      "Clerks",
      "Readers",
    ]);
    const [one] = [{ roleIds: [ids.Readers], path: "/api/public/table/teams" }];
    expect((await preview(one)).status).toBe(404);
  });

  it("shows a changed grant on the next request", async () => {
    const path = "/api/public/table/tasks?fields=title";
    const before = await preview({ userId: clerk.id, path });
    expect(before.body).toContain("Mine");
    await administer("PATCH", `/grants/${ids.mine}`, { fields: ["id"] });
    const after = await preview({ userId: clerk.id, path });
    expect([after.status, after.body.includes("Mine")]).toEqual([400, false]);
    await administer("PATCH", `/grants/${ids.mine}`, {
      fields: ["id", "title", "owner", "points", "team_id"],
    });
    expect((await preview({ userId: clerk.id, path })).body).toBe(before.body);
  });

  it("writes nothing, although a view calls a function that would", async () => {
    const path = "/api/public/view/noisy";
    const count = async () =>
      (
        await environment.test.database.query<{ n: number }>(
          "select count(*)::int as n from public.hidden",
        )
      )[0]?.n;
    const before = await count();
    for (const headers of [{}, { Accept: "text/csv" }, { Accept: "application/x-ndjson" }]) {
      const seen = await preview({ userId: clerk.id, path, headers });
      expect([seen.status, JSON.parse(seen.body).errors[0].code]).toEqual([409, "CONFLICT"]);
    }
    expect((await environment.ask("GET", path, { as: clerk.secret })).status).toBe(409);
    expect(await count()).toBe(before);
  });

  it("explains a write after the first rows of an export", async () => {
    const headers = { Accept: "text/csv" };
    const seen = await preview({ userId: clerk.id, path: "/api/public/view/noisy_late", headers });
    expect([seen.status, JSON.parse(seen.body).errors[0].code]).toEqual([409, "CONFLICT"]);
  });

  it("creates no credential, and writes an entry for each previewed caller", async () => {
    const { database } = environment.test;
    const credentials = () =>
      database.query(
        "select (select count(*) from system.sessions)::int as sessions, (select count(*) from system.tokens)::int as tokens",
      );
    const before = await credentials();
    await preview({ userId: clerk.id, path: "/api/public/table/tasks" });
    await preview({ roleIds: [ids.Clerks], path: "/api/public/table/tasks" });
    expect(await credentials()).toEqual(before);
    const log = await administer("GET", "/audit-log?action=permission.preview&limit=2");
    expect(log.body.data).toMatchObject([
      { targetKind: "role", targetId: ids.Clerks, actorUserId: environment.admin.id },
      { targetKind: "user", targetId: clerk.id, actorUserId: environment.admin.id },
    ]);
  });

  it.each<[string, () => object, string, string]>([
    ["neither a person nor roles", () => ({}), "BODY_INVALID", "/data"],
    ["both", () => ({ userId: clerk.id, roleIds: [ids.Clerks] }), "BODY_INVALID", "/data"],
    ["no role", () => ({ roleIds: [] }), "BODY_INVALID", "/data/roleIds"],
    [
      "an unknown role",
      () => ({ roleIds: [ids.Clerks, clerk.id] }),
      "VALUE_INVALID",
      "/data/roleIds/1",
    ],
    ["an unknown person", () => ({ userId: ids.Clerks }), "VALUE_INVALID", "/data/userId"],
    [
      "another header",
      () => ({ userId: clerk.id, headers: { Authorization: "Bearer x" } }),
      "BODY_INVALID",
      "/data/headers/Authorization",
    ],
    [
      "a header of several lines",
      () => ({ userId: clerk.id, headers: { Prefer: "etags\r\nX-Other: 1" } }),
      "BODY_INVALID",
      "/data/headers/Prefer",
    ],
  ])("refuses %s", async (_name, input, code, path) => {
    const answer = await administer("POST", "/permissions/preview", {
      path: "/api/public/table/tasks",
      ...input(),
    });
    expect(answer.body.errors).toMatchObject([{ code, path }]);
  });

  it.each([
    "//evil.example/app/api/me",
    "/app/api/../../admin/api/users",
    "/admin/api/users",
    "app/api/me",
    "/app/api/preferences",
    "/app/api/saved-views",
    "/api/auth/me",
    "/internal/edge-settings",
  ])("answers %s as a path that does not exist", async (path) => {
    const answer = await preview({ userId: clerk.id, path });
    expect([path, answer.status]).toEqual([path, 404]);
  });

  it("refuses a caller who is not an administrator, and a person who is deactivated", async () => {
    const body = { data: { userId: environment.admin.id, path: "/app/api/me" } };
    const refused = await environment.ask("POST", "/admin/api/permissions/preview", {
      as: clerk.secret,
      body,
    });
    expect(refused.status).toBe(403);
    await administer("POST", `/users/${clerk.id}/deactivate`);
    const gone = await administer("POST", "/permissions/preview", {
      userId: clerk.id,
      path: "/api/public/table/tasks",
    });
    expect(gone.body.errors).toMatchObject([{ code: "VALUE_INVALID", path: "/data/userId" }]);
    await administer("POST", `/users/${clerk.id}/activate`);
  });
});
