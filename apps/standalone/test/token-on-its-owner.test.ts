// Tiers: usual, topologies.
import { createSession, createToken, createUser, type TestToken } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// A token gives no access to a session of its owner: no API lets it change the address, the password, the state or the
// sessions of its own account.
let environment: TestEnvironment;
let admin: TestToken;
let api: TestToken;
let path: string;
beforeAll(async () => {
  environment = await openTestEnvironment();
  const { database } = environment.test;
  await createUser(database, "second@example.com", "Administrators");
  admin = await createToken(database, environment.admin.id, "admin");
  api = await createToken(database, environment.admin.id, "api");
  path = `/users/${environment.admin.id}`;
  for (const { id } of (await administer("GET", "/resources?schema=system")).body.data) {
    const exposedMethods = ["GET", "POST", "PATCH", "DELETE"];
    expect((await administer("PATCH", `/resources/${id}`, { exposedMethods })).status).toBe(200);
  }
});
afterAll(() => environment.stop());

const ask = (method: string, to: string, data: unknown, as: string): Promise<Answer> =>
  environment.ask(method, to, { as, ...(data === undefined ? {} : { body: { data } }) });
const administer = (method: string, to: string, data?: unknown, as = environment.admin.secret) =>
  ask(method, `/admin/api${to}`, data, as);
const owner = async () => {
  const [row] = await environment.test.database.query<{ state: string }>(
    `select jsonb_build_object('user', to_jsonb(u) - 'last_sign_in_at' - 'name' - 'updated_at',
       'sessions', (select jsonb_agg(s.id order by s.id) from system.sessions s where s.user_id = u.id),
       'links', (select count(*) from system.links where user_id = u.id),
       'mails', (select count(*) from system.mails))::text as state
     from system.users u where u.id = $1::text::uuid`,
    [environment.admin.id],
  );
  return row?.state;
};

describe("a token of the admin plane", () => {
  it("cannot change how its owner signs in through the Admin API", async () => {
    const [session] = (await administer("GET", `${path}/sessions`)).body.data;
    const before = await owner();
    for (const [method, to, data] of [
      ["PATCH", path, { email: "mine@evil.example" }],
      ["PATCH", path, { email: "mine@evil.example", emailVerified: true }],
      ["PATCH", path, { email: "ADMIN@example.com" }],
      ["PATCH", path, { emailVerified: false }],
      ["PATCH", path, { name: "Mine", active: false }],
      ["POST", `${path}/deactivate`, undefined],
      ["DELETE", `${path}/sessions`, undefined],
      ["DELETE", `${path}/sessions/${session.id}`, undefined],
      ["DELETE", `${path}/sessions/${admin.id}`, undefined],
    ] as const) {
      const answer = await administer(method, to, data, admin.secret);
      expect([method, to, data, answer.status, answer.faults]).toEqual([
        ...[method, to, data],
        403,
        ["ACTION_DENIED"],
      ]);
      expect(answer.body.errors[0].message).toBe(
        "A token or a run cannot change the address, password, state or sessions of its own account",
      );
    }
    expect(await owner()).toBe(before);
  });

  it("is rejected even if there is no session to end", async () => {
    const { database } = environment.test;
    const robot = await createUser(database, "robot@example.com", "Administrators");
    await database.query(`delete from system.sessions where user_id = '${robot.id}'`);
    const { secret } = await createToken(database, robot.id, "admin");
    const answer = await administer("DELETE", `/users/${robot.id}/sessions`, undefined, secret);
    expect([answer.status, answer.faults]).toEqual([403, ["ACTION_DENIED"]]);
  });

  it("gains no session of its owner by a new password", async () => {
    await administer("PATCH", path, { email: "mine@evil.example" }, admin.secret);
    const forgot = await environment.ask("POST", "/api/auth/password/forgot", {
      body: { email: "mine@evil.example" },
    });
    expect(forgot.status).toBe(204);
    await environment.deliver();
    expect(await environment.mails()).toEqual([]);
  });

  it("may change name, language and time zone of its owner, and other accounts", async () => {
    const named = await administer("PATCH", path, { name: "Owner" }, admin.secret);
    expect([named.status, named.body.data.name]).toEqual([200, "Owner"]);
    const { id } = await createUser(environment.test.database, "other@example.com", "Members");
    await createSession(environment.test.database, id);
    for (const [method, to, data, status] of [
      ["PATCH", `/users/${id}`, { email: "another@example.com" }, 200],
      ["DELETE", `/users/${id}/sessions`, undefined, 204],
      ["POST", `/users/${id}/deactivate`, undefined, 200],
    ] as const) {
      expect((await administer(method, to, data, admin.secret)).status).toBe(status);
    }
  });

  it("creates no administrator by its invitations once it is revoked", async () => {
    const { database } = environment.test;
    const [role] = (await administer("GET", "/roles?search=administrators")).body.data;
    const invite = async (secret: string, email: string) => {
      const data = { email, name: "Guest", roleIds: [role.id] };
      expect((await administer("POST", "/invitations", data, secret)).status).toBe(201);
      const mails = (await environment.mails()).filter((mail) => mail.includes(`To: ${email}`));
      const [, token = ""] =
        /token=(rhl_\w+)/.exec(
          mails
            .join()
            .replaceAll(/=\r?\n/g, "")
            .replaceAll("=3D", "="),
        ) ?? [];
      return { token, password: "a horse that nobody knows" };
    };
    const accept = (body: object) =>
      environment.ask("POST", "/api/auth/invitations/accept", { body });
    const token = await createToken(database, environment.admin.id, "admin");
    expect((await accept(await invite(token.secret, "one@example.com"))).status).toBe(200);
    const read = async ({ token: secret }: { token: string }) =>
      (await environment.ask("POST", "/api/auth/invitations/read", { body: { token: secret } }))
        .faults;
    const late = await invite(token.secret, "two@example.com");
    expect(await read(late)).toEqual([]);
    await administer("POST", `/tokens/${token.id}/revoke`);
    expect(await read(late)).toEqual(["BODY_INVALID /token"]);
    const refused = await accept(late);
    expect([refused.status, refused.faults]).toEqual([400, ["BODY_INVALID /token"]]);
    expect((await administer("GET", "/users?search=two@example.com")).body.data).toEqual([]);
  });
});

describe("a token of either plane", () => {
  it("cannot change how its owner signs in through the Data API", async () => {
    const before = await owner();
    for (const { secret } of [api, admin]) {
      for (const [method, to, data] of [
        ["PATCH", path, { email: "mine@evil.example" }],
        ["PATCH", path, { active: false }],
        ["PATCH", "/users?where[email][_eq]=admin@example.com&max_affected=1", { email: "x@y.zz" }],
        ["POST", "/users?on_conflict=id&resolution=merge", { email: "x@y.zz" }],
        ["DELETE", path, undefined],
      ] as const) {
        const answer = await ask(method, `/api/system/table${to}`, data, secret);
        expect([method, to, answer.status >= 400 && answer.status < 500]).toEqual([
          method,
          to,
          true,
        ]);
        if (method !== "POST") expect(answer.faults).toEqual(["ACTION_DENIED"]);
      }
    }
    expect(await owner()).toBe(before);
  });

  it("cannot change it by the routes of accounts", async () => {
    const before = await owner();
    for (const { secret } of [api, admin]) {
      for (const [method, to, body] of [
        ["PATCH", "/api/auth/me", { name: "x" }],
        ["POST", "/api/auth/logout", undefined],
        ["GET", "/api/auth/sessions", undefined],
        ["DELETE", `/api/auth/sessions/${api.id}`, undefined],
        ["POST", "/api/auth/password/change", { currentPassword: "x", newPassword: "y" }],
        ["POST", "/api/auth/email/change", { currentPassword: "x", newEmail: "x@y.zz" }],
      ] as const) {
        const answer = await environment.ask(method, to, {
          as: secret,
          ...(body === undefined ? {} : { body }),
        });
        expect([to, answer.status, answer.faults]).toEqual([to, 403, ["SESSION_REQUIRED"]]);
      }
    }
    expect(await owner()).toBe(before);
  });

  it("cannot change it by the SQL console, even if tokens may use that", async () => {
    await environment.set("sql_console.allow_api_tokens", true);
    const before = await owner();
    for (const sql of [
      "update system.users set email = 'mine@evil.example' where email = 'admin@example.com'",
      "delete from system.sessions",
      `select system.act_as('${environment.admin.id}'), set_config('rowhouse.origin', '', true); update system.users set email = 'x@y.zz'`,
    ]) {
      const answer = await administer("POST", "/sql", { sql, readOnly: false }, admin.secret);
      expect([sql, answer.status, answer.faults[0]?.split(" ")[0]]).toEqual([
        sql,
        400,
        "SQL_FAILED",
      ]);
    }
    expect(await owner()).toBe(before);
  });
});
