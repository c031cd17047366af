// Tiers: usual, topologies.
import { verifyPassword } from "@rowhouse/access";
import { createSession, createUser } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nobody, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
beforeAll(async () => {
  api = await openTestEnvironment();
});
afterAll(() => api.test.drop());

const password = "correct horse battery staple";
const create = (data: object) => api.ask("POST", "/users", data);

describe("POST /admin/api/users", () => {
  it("creates a user whose password works and is stored only as a hash", async () => {
    const answer = await create({
      email: "New@Example.com",
      name: "New",
      password,
      timeZone: "Asia/Tokyo",
    });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({
      email: "New@Example.com",
      name: "New",
      active: true,
      isSystem: false,
      emailVerified: true,
      timeZone: "Asia/Tokyo",
      lastSignInAt: null,
      roles: [],
    });
    const [row] = await api.test.database.query<{ password_hash: string }>(
      "select password_hash from system.users where email = 'New@Example.com'",
    );
    expect((await verifyPassword(row?.password_hash ?? null, password)).isRight).toBe(true);
    const log = await api.ask("GET", `/audit-log?targetId=${answer.body.data.id}`);
    expect(log.body.data).toMatchObject([
      { action: "user.create", changedFields: ["email", "name", "password", "timeZone"] },
    ]);
    const list = await api.ask("GET", "/users");
    for (const secret of [password, row?.password_hash ?? ""]) {
      expect(JSON.stringify([answer.body, log.body, list.body])).not.toContain(secret);
    }
  });

  it("lists the roles of a user by name without regard to case", async () => {
    const person = (await create({ email: "roles@example.com" })).body.data;
    const names = ["ordering B", "Ordering a", "Ordering C"];
    for (const name of names) {
      const role = (await api.ask("POST", "/roles", { name })).body.data;
      await api.ask("POST", `/roles/${role.id}/members`, { userId: person.id });
    }
    const read = await api.ask("GET", `/users/${person.id}`);
    expect(read.body.data.roles.map((role: { name: string }) => role.name)).toEqual([
      "Ordering a",
      "ordering B",
      "Ordering C",
    ]);
  });

  it("returns 409 for the address of an existing account, without regard to case", async () => {
    const before = await api.traces();
    const answer = await create({ email: "ADMIN@example.com" });
    expect([answer.status, answer.faults]).toEqual([409, ["CONFLICT /data/email"]]);
    expect(await api.traces()).toBe(before);
  });

  it("refuses several invalid fields together", async () => {
    const before = await api.traces();
    expect(
      (await create({ email: "x", name: 1, isSystem: true, roles: [] })).faults.sort(),
    ).toEqual([
      "BODY_INVALID /data/email",
      "BODY_INVALID /data/isSystem",
      "BODY_INVALID /data/name",
      "BODY_INVALID /data/roles",
    ]);
    expect(
      (await create({ email: "a@b.co", password: "short", timeZone: "Mars/Base" })).faults,
    ).toEqual(["BODY_INVALID /data/password", "BODY_INVALID /data/timeZone"]);
    expect((await create({ email: "a@b.co", password: "password1234" })).status).toBe(400);
    expect(await api.traces()).toBe(before);
  });
});

describe("a user", () => {
  it("can be searched, filtered and paged by address", async () => {
    const emails = async (query: string) =>
      (await api.ask("GET", `/users?${query}`)).body.data.map(
        (user: { email: string }) => user.email,
      );
    expect(await emails("search=ADMIN@")).toEqual(["admin@example.com"]);
    expect(await emails("active=false")).toEqual([]);
    const loner = await api.ask("POST", "/users", { email: "loner@example.com" });
    expect(loner.body.data.apiAccess).toBe(false);
    expect(await emails("apiAccess=false&search=loner")).toEqual(["loner@example.com"]);
    const listed = [await emails("apiAccess=true"), await emails("apiAccess=false")];
    expect(listed.flat().sort()).toEqual((await emails("")).sort());
    expect(listed[0]).toContain("admin@example.com");
    const first = (await api.ask("GET", "/users?limit=1")).body;
    const second = await emails(`limit=1&cursor=${first.meta.nextCursor}`);
    expect([first.data[0].email, ...second]).toEqual((await emails("")).slice(0, 2));
    expect((await api.ask("GET", "/users?active=maybe")).faults).toEqual(["QUERY_INVALID active"]);
  });

  it("can change name and time zone, and reset the time zone to null", async () => {
    const path = `/users/${api.user.id}`;
    const changed = await api.ask("PATCH", path, { name: "Person", timeZone: "Europe/Berlin" });
    expect(changed.body.data).toMatchObject({ name: "Person", timeZone: "Europe/Berlin" });
    const reset = await api.ask("PATCH", path, { timeZone: null });
    expect(reset.body.data).toMatchObject({ name: "Person", timeZone: null });
    expect(reset.body.data.roles).toMatchObject([{ name: "Drivers" }]);
    const refused = await api.ask("PATCH", path, { email: "a b", timeZone: "x", name: null });
    expect(refused.faults.sort()).toEqual(["BODY_INVALID /data/email", "BODY_INVALID /data/name"]);
    const several = await api.ask("PATCH", path, { timeZone: "x", language: "?" });
    expect(several.faults).toEqual(["BODY_INVALID /data/timeZone", "BODY_INVALID /data/language"]);
    expect((await api.ask("PATCH", path, { timeZone: "x" })).faults).toEqual([
      "BODY_INVALID /data/timeZone",
    ]);
  });

  it("loses all sessions at deactivation, and can sign in again only after activation", async () => {
    const { database } = api.test;
    const sessions = async () =>
      (
        await database.query("select 1 from system.sessions where user_id = $1::text::uuid", [
          api.user.id,
        ])
      ).length;
    expect((await api.ask("GET", "/roles", undefined, api.user.secret)).status).toBe(403);
    const answer = await api.ask("POST", `/users/${api.user.id}/deactivate`);
    expect([answer.status, answer.body.data.active]).toEqual([200, false]);
    expect((await api.ask("GET", "/roles", undefined, api.user.secret)).status).toBe(401);
    expect(await sessions()).toBe(0);
    expect((await api.ask("POST", `/users/${api.user.id}/activate`)).body.data.active).toBe(true);
    expect((await api.ask("GET", "/roles", undefined, api.user.secret)).status).toBe(401);
    await createSession(database, api.user.id);
    await api.ask("PATCH", `/users/${api.user.id}`, { active: false });
    expect(await sessions()).toBe(0);
    const log = (await api.ask("GET", `/audit-log?targetId=${api.user.id}&search=activate`)).body;
    expect(log.data.map((entry: { action: string }) => entry.action)).toEqual([
      "user.deactivate",
      "user.activate",
      "user.deactivate",
    ]);
  });

  it("cannot be deactivated as the last active administrator", async () => {
    const before = await api.traces();
    for (const answer of [
      await api.ask("POST", `/users/${api.admin.id}/deactivate`),
      await api.ask("PATCH", `/users/${api.admin.id}`, { active: false, name: "x" }),
    ]) {
      expect([answer.status, answer.body.errors[0].message]).toEqual([
        409,
        "An active administrator must remain",
      ]);
    }
    expect(await api.traces()).toBe(before);
    expect((await api.ask("GET", `/users/${api.admin.id}`)).body.data.name).toBe(
      "admin@example.com",
    );
  });

  it("cannot be changed if it is a system account", async () => {
    const [workflows] = (await api.ask("GET", "/users?search=workflows@")).body.data;
    expect(workflows.isSystem).toBe(true);
    for (const answer of [
      await api.ask("POST", `/users/${workflows.id}/deactivate`),
      await api.ask("PATCH", `/users/${workflows.id}`, { name: "x" }),
    ]) {
      expect([answer.status, answer.faults]).toEqual([409, ["CONFLICT"]]);
    }
  });

  it("can get another address, which is unverified and invalidates links to the old one, and a language", async () => {
    const { database } = api.test;
    const { body } = await create({ email: "old@example.com", language: "PT-br" });
    const { id } = body.data;
    expect(body.data.language).toBe("pt-BR");
    await database.query(
      `insert into system.links (digest, kind, user_id, expires_at) values ('old', 'RESET', '${id}', now() + interval '1 hour')`,
    );
    const moved = await api.ask("PATCH", `/users/${id}`, {
      email: "new@moved.example",
      language: null,
    });
    expect(moved.body.data).toMatchObject({
      email: "new@moved.example",
      emailVerified: false,
      language: null,
    });
    // The new address may already have a link.
    const kinds = await database.query(
      `select 1 from system.links where user_id = '${id}' and kind = 'RESET'`,
    );
    expect(kinds).toEqual([]);
    const vouched = await api.ask("PATCH", `/users/${id}`, { emailVerified: true });
    expect(vouched.body.data.emailVerified).toBe(true);
    const taken = await api.ask("PATCH", `/users/${id}`, { email: "ADMIN@example.com" });
    expect([taken.status, taken.faults]).toEqual([409, ["CONFLICT /data/email"]]);
    const log = await api.ask("GET", `/audit-log?targetId=${id}&limit=2`);
    expect(log.body.data).toMatchObject([
      { action: "user.update", changedFields: ["emailVerified"] },
      { action: "user.update", changedFields: ["email", "language"] },
    ]);
  });

  it("can be signed out everywhere, with one audit entry", async () => {
    const { database } = api.test;
    const secrets = [
      await createSession(database, api.user.id),
      await createSession(database, api.user.id),
    ];
    expect((await api.ask("DELETE", `/users/${api.user.id}/sessions`)).status).toBe(204);
    for (const secret of secrets) {
      expect((await api.ask("GET", "/roles", undefined, secret)).status).toBe(401);
    }
    expect((await api.ask("DELETE", `/users/${api.user.id}/sessions`)).status).toBe(204);
    const log = await api.ask("GET", `/audit-log?targetId=${api.user.id}&action=user.end_sessions`);
    expect(log.body.data).toHaveLength(1);
    expect((await api.ask("DELETE", `/users/${nobody}/sessions`)).status).toBe(404);
  });
});

describe("two administrators", () => {
  it("cannot deactivate or remove each other concurrently: one remains", async () => {
    const { database } = api.test;
    const other = await createUser(database, "other-admin@example.com", "Administrators");
    const [role] = (await api.ask("GET", "/roles?search=administrators")).body.data;
    const pair = [
      { id: api.admin.id, secret: api.admin.secret },
      { id: other.id, secret: other.secret },
    ];
    for (let round = 0; round < 6; round += 1) {
      const answers = await Promise.all(
        pair.map(({ secret }, index) => {
          const target = pair[1 - index]?.id ?? "";
          return round % 2 === 0
            ? api.ask("POST", `/users/${target}/deactivate`, undefined, secret)
            : api.ask("DELETE", `/roles/${role.id}/members/${target}`, undefined, secret);
        }),
      );
      const isDone = (status: number) => status === 200 || status === 204;
      const won = answers.findIndex(({ status }) => isDone(status));
      expect(answers.filter(({ status }) => isDone(status))).toHaveLength(1);
      // The second request finds its administrator removed or its session revoked.
      expect([401, 403]).toContain(answers[1 - won]?.status);
      const left = pair[won] ?? { id: "", secret: "" };
      const fallen = pair[1 - won] ?? { id: "", secret: "" };
      const back =
        round % 2 === 0
          ? await api.ask("POST", `/users/${fallen.id}/activate`, undefined, left.secret)
          : await api.ask("POST", `/roles/${role.id}/members`, { userId: fallen.id }, left.secret);
      expect(isDone(back.status) || back.status === 201).toBe(true);
      fallen.secret = await createSession(database, fallen.id);
    }
  });
});

describe("a refused call of the Admin API", () => {
  it("is recorded in the audit log at most once a minute per user", async () => {
    const stranger = await createUser(api.test.database, "stranger@example.com", "Drivers");
    for (const path of ["/users", "/settings", "/audit-log"]) {
      expect((await api.ask("GET", path, undefined, stranger.secret)).status).toBe(403);
    }
    const { secret } = await createUser(api.test.database, "reader@example.com", "Administrators");
    const log = await api.ask("GET", `/audit-log?actorUserId=${stranger.id}`, undefined, secret);
    expect(log.body.data).toMatchObject([
      {
        action: "admin_api.access",
        outcome: "FAILED",
        address: "192.0.2.7",
        requestId: "request-1",
      },
    ]);
  });
});
