// Tiers: usual, topologies.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nobody, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
let administrators = "";
beforeAll(async () => {
  api = await openTestEnvironment();
  const { data } = (await api.ask("GET", "/roles?search=administrators")).body;
  administrators = data[0].id;
});
afterAll(() => api.test.drop());

describe("roles", () => {
  it("can be created, read, changed and deleted, with an audit entry for each change", async () => {
    const created = await api.ask("POST", "/roles", { name: "Dispatchers", description: "Plan" });
    expect(created.status).toBe(201);
    const { id } = created.body.data;
    expect(created.body.data).toMatchObject({
      name: "Dispatchers",
      apiAccess: true,
      tokenCreation: false,
      isAdministrators: false,
      memberCount: 0,
    });
    const changed = await api.ask("PATCH", `/roles/${id}`, { apiAccess: false });
    expect(changed.body.data).toMatchObject({ apiAccess: false, description: "Plan" });
    expect((await api.ask("PATCH", `/roles/${id}`, {})).status).toBe(200);
    expect((await api.ask("GET", `/roles/${id.toUpperCase()}`)).body).toEqual(changed.body);
    const gone = await api.ask("DELETE", `/roles/${id}`);
    expect([gone.status, gone.body]).toEqual([204, null]);
    expect((await api.ask("GET", `/roles/${id}`)).status).toBe(404);
    const log = (await api.ask("GET", `/audit-log?targetId=${id}`)).body.data;
    expect(log.map((entry: { action: string }) => entry.action)).toEqual([
      "role.delete",
      "role.update",
      "role.create",
    ]);
    expect(log[1].changedFields).toEqual(["apiAccess"]);
  });

  it("have names that are unique without regard to case", async () => {
    const before = await api.traces();
    const answer = await api.ask("POST", "/roles", { name: "DRIVERS" });
    expect([answer.status, answer.faults]).toEqual([409, ["CONFLICT /data/name"]]);
    const renamed = await api.ask("PATCH", `/roles/${administrators}`, { name: "Drivers" });
    expect(renamed.faults).toEqual(["CONFLICT /data/name"]);
    expect(await api.traces()).toBe(before);
  });

  it("are refused with all faults of a body together", async () => {
    const answer = await api.ask("POST", "/roles", {
      name: "",
      apiAccess: "yes",
      isAdministrators: true,
    });
    expect(answer.faults.sort()).toEqual([
      "BODY_INVALID /data/apiAccess",
      "BODY_INVALID /data/isAdministrators",
      "BODY_INVALID /data/name",
    ]);
  });

  it("cannot lose Administrators or its rights", async () => {
    const before = await api.traces();
    expect((await api.ask("DELETE", `/roles/${administrators}`)).status).toBe(409);
    expect((await api.ask("PATCH", `/roles/${administrators}`, { apiAccess: false })).status).toBe(
      409,
    );
    expect(await api.traces()).toBe(before);
  });

  it("are listed page by page", async () => {
    for (const name of ["Aa", "bb", "Cc"]) await api.ask("POST", "/roles", { name });
    const names: string[] = [];
    for (let cursor = ""; ; ) {
      const page = (await api.ask("GET", `/roles?limit=1${cursor}`)).body;
      names.push(...page.data.map((role: { name: string }) => role.name));
      if (page.meta.nextCursor === null) break;
      cursor = `&cursor=${page.meta.nextCursor}`;
    }
    expect(names).toEqual(["Aa", "Administrators", "bb", "Cc", "Drivers"]);
  });
});

describe("members", () => {
  const path = (role: string) => `/roles/${role}/members`;

  it("can be added, listed and removed, with an audit entry for each change", async () => {
    const added = await api.ask("POST", path(administrators), { userId: api.user.id });
    expect([added.status, added.body.data.email]).toEqual([201, "user@example.com"]);
    const list = (await api.ask("GET", path(administrators))).body.data;
    expect(list.map((member: { email: string }) => member.email)).toEqual([
      "admin@example.com",
      "user@example.com",
    ]);
    expect((await api.ask("GET", `${path(administrators)}?search=USER@`)).body.data).toHaveLength(
      1,
    );
    const twice = await api.ask("POST", path(administrators), { userId: api.user.id });
    expect([twice.status, twice.faults]).toEqual([409, ["CONFLICT /data/userId"]]);
    expect((await api.ask("DELETE", `${path(administrators)}/${api.user.id}`)).status).toBe(204);
    expect((await api.ask("DELETE", `${path(administrators)}/${api.user.id}`)).status).toBe(404);
    const log = (await api.ask("GET", "/audit-log?targetKind=role_member")).body.data;
    expect(log.map((entry: { action: string }) => entry.action)).toEqual([
      "role_member.delete",
      "role_member.create",
    ]);
    expect(log[0].targetId).toBe(`${administrators}/${api.user.id}`);
  });

  it("must be existing users", async () => {
    const before = await api.traces();
    const unknown = await api.ask("POST", path(administrators), { userId: nobody });
    expect([unknown.status, unknown.faults]).toEqual([400, ["VALUE_INVALID /data/userId"]]);
    const malformed = await api.ask("POST", path(administrators), { userId: "1" });
    expect(malformed.faults).toEqual(["BODY_INVALID /data/userId"]);
    expect(await api.traces()).toBe(before);
  });

  it("of Administrators always include an active one", async () => {
    const before = await api.traces();
    const answer = await api.ask("DELETE", `${path(administrators)}/${api.admin.id}`);
    expect([answer.status, answer.body.errors[0]]).toEqual([
      409,
      { code: "CONFLICT", message: "An active administrator must remain" },
    ]);
    expect(await api.traces()).toBe(before);
  });

  it("of Administrators always include an active one, even if the last two are removed concurrently", async () => {
    await api.ask("POST", path(administrators), { userId: api.user.id });
    const answers = await Promise.all(
      [api.admin.id, api.user.id].map((id) => api.ask("DELETE", `${path(administrators)}/${id}`)),
    );
    // The second request is refused, or its own administrator was already removed.
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    const left = await api.test.database.query(
      "select 1 from system.role_members m join system.roles r on r.id = m.role_id and r.is_administrators",
    );
    expect(left).toHaveLength(1);
  });
});
