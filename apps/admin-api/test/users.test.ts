import { verifyPassword } from "@rowhouse/access";
import { createSession } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Arrangement, arrange } from "./arrangement.ts";

let api: Arrangement;
beforeAll(async () => {
  api = await arrange();
});
afterAll(() => api.test.drop());

const password = "correct horse battery staple";
const create = (data: object) => api.ask("POST", "/users", data);

describe("POST /admin/api/users", () => {
  it("creates a user whose password works and is nowhere to be read", async () => {
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
    expect(await verifyPassword(row?.password_hash ?? null, password)).toBe(true);
    const log = await api.ask("GET", `/audit-log?targetId=${answer.body.data.id}`);
    expect(log.body.data).toMatchObject([
      { action: "user.create", changedFields: ["email", "name", "password", "timeZone"] },
    ]);
    const list = await api.ask("GET", "/users");
    for (const secret of [password, row?.password_hash ?? ""]) {
      expect(JSON.stringify([answer.body, log.body, list.body])).not.toContain(secret);
    }
  });

  it("answers 409 for an address that has an account, whatever its case", async () => {
    const before = await api.traces();
    const answer = await create({ email: "ADMIN@example.com" });
    expect([answer.status, answer.faults]).toEqual([409, ["CONFLICT /data/email"]]);
    expect(await api.traces()).toBe(before);
  });

  it("refuses bad fields, several together", async () => {
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
  it("is found, filtered and paged by address", async () => {
    const emails = async (query: string) =>
      (await api.ask("GET", `/users?${query}`)).body.data.map(
        (user: { email: string }) => user.email,
      );
    expect(await emails("search=ADMIN@")).toEqual(["admin@example.com"]);
    expect(await emails("active=false")).toEqual([]);
    const first = (await api.ask("GET", "/users?limit=1")).body;
    const second = await emails(`limit=1&cursor=${first.meta.nextCursor}`);
    expect([first.data[0].email, ...second]).toEqual((await emails("")).slice(0, 2));
    expect((await api.ask("GET", "/users?active=maybe")).faults).toEqual(["QUERY_INVALID active"]);
  });

  it("is changed: name and time zone, which may be null again", async () => {
    const path = `/users/${api.user.id}`;
    const changed = await api.ask("PATCH", path, { name: "Person", timeZone: "Europe/Berlin" });
    expect(changed.body.data).toMatchObject({ name: "Person", timeZone: "Europe/Berlin" });
    const reset = await api.ask("PATCH", path, { timeZone: null });
    expect(reset.body.data).toMatchObject({ name: "Person", timeZone: null });
    expect(reset.body.data.roles).toMatchObject([{ name: "Drivers" }]);
    const refused = await api.ask("PATCH", path, { email: "a@b.co", timeZone: "x", name: null });
    expect(refused.faults.sort()).toEqual(["BODY_INVALID /data/email", "BODY_INVALID /data/name"]);
    expect((await api.ask("PATCH", path, { timeZone: "x" })).faults).toEqual([
      "BODY_INVALID /data/timeZone",
    ]);
  });

  it("who is deactivated is signed out at once, and signing in again needs activation", async () => {
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

  it("who is the last active administrator stays active", async () => {
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

  it("that is a system account cannot be changed", async () => {
    const [workflows] = (await api.ask("GET", "/users?search=workflows@")).body.data;
    expect(workflows.isSystem).toBe(true);
    for (const answer of [
      await api.ask("POST", `/users/${workflows.id}/deactivate`),
      await api.ask("PATCH", `/users/${workflows.id}`, { name: "x" }),
    ]) {
      expect([answer.status, answer.faults]).toEqual([409, ["CONFLICT"]]);
    }
  });
});
