import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient, grant } from "./engine.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;
let roleId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  await test.database.query(`
    create table public.teams (id int primary key, name text);
    create table public.team_members (team_id int references public.teams (id), user_id uuid, primary key (team_id, user_id));
    create table public.tasks (id int primary key, team_id int references public.teams (id), title text)`);
  for (const name of ["teams", "team_members", "tasks"]) {
    await expose(test.database, "public", name, "GET", "POST", "PATCH", "DELETE");
  }
});
afterAll(() => test.drop());

const mine = { "team.team_members": { _some: { user_id: { _eq: "$USER.id" } } } };
const allow = (input: Parameters<typeof grant>[4]) =>
  grant(test.database, client.snapshots, roleId, "public/tasks", input);
const ids = async (query = "") => {
  const answer = await client.list(user, "public/tasks", query);
  return answer.status === 200
    ? (answer.body as { data: { id: number }[] }).data.map((row) => row.id).join()
    : answer.status;
};

beforeEach(async () => {
  await test.database.query("truncate public.teams, public.team_members, public.tasks");
  await test.database.query("delete from system.grants");
  await test.database.query("insert into public.teams values (1, 'red'), (2, 'blue')");
  await test.database.query(`insert into public.team_members values (1, '${user.id}')`);
  await test.database.query(
    "insert into public.tasks values (1, 1, 'a'), (2, 2, 'b'), (3, null, 'c')",
  );
});

describe("a row filter that crosses relations", () => {
  it("a row filter may depend on related rows on which the reader has no grant", async () => {
    await allow({ action: "READ", rowFilter: mine });
    expect(await ids()).toBe("1");
    await test.database.query(`insert into public.team_members values (2, '${user.id}')`);
    expect(await ids()).toBe("1,2");
    expect(await ids("fields=team.name")).toBe(400);
  });

  it("a row filter may use a to-one path, also negated", async () => {
    await allow({ action: "READ", rowFilter: { _not: { "team.name": { _eq: "red" } } } });
    expect(await ids()).toBe("2");
  });

  it("a row filter also checks new and updated rows", async () => {
    for (const action of ["READ", "CREATE", "UPDATE"] as const)
      await allow({ action, rowFilter: mine });
    const created = (team_id: number, id: number) =>
      client.create(user, "public/tasks", { id, team_id, title: "new" });
    expect((await created(1, 10)).status).toBe(201);
    expect((await created(2, 11)).status).toBe(403);
    expect((await client.update(user, "public/tasks", "1", { team_id: 2 })).status).toBe(403);
    expect((await client.update(user, "public/tasks", "2", { title: "x" })).status).toBe(404);
    const merge = "on_conflict=id&resolution=merge";
    expect((await client.create(user, "public/tasks", { id: 1, team_id: 2 }, merge)).status).toBe(
      403,
    );
    expect(
      (await client.create(user, "public/tasks", { id: 1, team_id: 1, title: "y" }, merge)).status,
    ).toBe(201);
  });

  it("a row filter allows nothing once a column of its path was replaced", async () => {
    await allow({ action: "READ", rowFilter: { "team.name": { _eq: "red" } } });
    expect(await ids()).toBe("1");
    await test.database.query("alter table public.teams drop column name");
    await test.database.query("alter table public.teams add column name text default 'red'");
    expect(await ids()).toBe(404);
  });

  it("a row filter with an invalid regular expression is rejected", async () => {
    await expect(
      allow({ action: "READ", rowFilter: { title: { _regex: "(" } } }),
    ).rejects.toMatchObject({
      faults: [{ code: "VALUE_INVALID", path: "/data/rowFilter/title/_regex" }],
    });
  });

  it("a row filter whose path does not exist is rejected", async () => {
    await expect(
      allow({ action: "READ", rowFilter: { "team.nope": { _eq: 1 } } }),
    ).rejects.toMatchObject({
      faults: [{ code: "FIELD_UNKNOWN", path: "/data/rowFilter/team.nope" }],
    });
  });
});
