// Tiers: usual, topologies.
import {
  createRole,
  createSession,
  createToken,
  createUser,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Answer, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// Administration by users who are not administrators: through the Data API, under grants. The manager has every grant on
// the service's records.
let environment: TestEnvironment;
let manager: TestUser;
let second: TestUser;
let person: TestUser;
let managersId = "";
let administratorsId = "";

beforeAll(async () => {
  environment = await openTestEnvironment();
  const { database } = environment.test;
  managersId = await createRole(database, "Managers");
  manager = await createUser(database, "manager@example.com", "Managers");
  second = await createUser(database, "second@example.com", "Administrators");
  const roles = await administer("GET", "/roles?search=administrators");
  administratorsId = roles.body.data[0].id;
  const resources = await administer("GET", "/resources?schema=system");
  expect(resources.body.data.map(({ name }: { name: string }) => name)).toEqual([
    "files",
    "folders",
    "role_members",
    "roles",
    "templates",
    "users",
  ]);
  for (const { id } of resources.body.data) {
    const exposedMethods = ["GET", "POST", "PATCH", "DELETE"];
    expect((await administer("PATCH", `/resources/${id}`, { exposedMethods })).status).toBe(200);
    for (const action of ["READ", "CREATE", "UPDATE", "DELETE"]) {
      const grant = { roleId: managersId, resourceId: id, action };
      expect((await administer("POST", "/grants", grant)).status).toBe(201);
    }
  }
});
afterAll(() => environment.stop());
beforeEach(async () => {
  person = await createUser(
    environment.test.database,
    `p${Date.now()}${Math.random()}@example.com`,
    "Members",
  );
});

const administer = (method: string, path: string, data?: unknown) =>
  environment.ask(method, `/admin/api${path}`, {
    as: environment.admin.secret,
    ...(data === undefined ? {} : { body: { data } }),
  });
const manage = (
  method: string,
  path: string,
  data?: unknown,
  as = manager.secret,
): Promise<Answer> =>
  environment.ask(method, `/api/system/table/${path}`, {
    as,
    ...(data === undefined ? {} : { body: { data } }),
  });
const entriesOf = async (query: string) =>
  (await administer("GET", `/audit-log?${query}`)).body.data as Record<string, unknown>[];

async function traces(): Promise<string> {
  const rows = await environment.test.database.query(
    `select (select jsonb_agg(to_jsonb(u) - 'last_sign_in_at' order by u.id) from system.users u) as users,
       (select jsonb_agg(to_jsonb(m) order by m.role_id, m.user_id) from system.role_members m) as members,
       (select jsonb_agg(to_jsonb(r) order by r.id) from system.roles r) as roles,
       (select jsonb_agg(to_jsonb(t) order by t.id) from system.templates t) as templates,
       (select jsonb_agg(to_jsonb(s) order by s.key) from system.settings s) as settings,
       (select jsonb_agg(to_jsonb(g) order by g.id) from system.grants g) as grants,
       (select count(*) from system.tokens) as tokens, (select count(*) from system.sessions) as sessions,
       (select count(*) from system.audit_log where outcome = 'SUCCEEDED') as entries`,
  );
  return JSON.stringify(rows);
}

describe("a user manager who is not an administrator", () => {
  it("creates a user, who sets a password by a mail and signs in; each change has an audit entry", async () => {
    const created = await manage("POST", "users", { email: "new@example.com", name: "New" });
    expect(created.status).toBe(201);
    const { id } = created.body.data;
    expect(created.body.data).toMatchObject({
      active: true,
      is_system: false,
      email_verified_at: null,
    });
    expect(created.text).not.toContain("password");
    const [role] = (await manage("GET", "roles?where[name][_eq]=Members&fields=id")).body.data;
    const member = await manage("POST", "role_members", { role_id: role.id, user_id: id });
    expect(member.status).toBe(201);
    await environment.ask("POST", "/api/auth/password/forgot", {
      body: { email: "new@example.com" },
    });
    const [mail = ""] = await environment.mails();
    const [, token = ""] =
      /token=3D([\w-]+)|token=([\w-]+)/
        .exec(mail.replaceAll("=\r\n", "").replaceAll("=\n", ""))
        ?.filter(Boolean) ?? [];
    const password = "a horse that nobody knows";
    const reset = await environment.ask("POST", "/api/auth/password/reset", {
      body: { token, password },
    });
    expect(reset.status).toBe(204);
    const signedIn = await environment.ask("POST", "/api/auth/login", {
      body: { email: "new@example.com", password },
    });
    expect(signedIn.status).toBe(200);
    expect(await entriesOf(`targetId=${id}&action=user.create`)).toMatchObject([
      {
        actorUserId: manager.id,
        actorTokenId: null,
        targetKind: "user",
        changedFields: ["email", "name", "active"],
        outcome: "SUCCEEDED",
        address: "192.0.2.7",
        requestId: "request-1",
      },
    ]);
    expect(await entriesOf(`targetId=${role.id}/${id}`)).toMatchObject([
      {
        actorUserId: manager.id,
        action: "role_member.create",
        changedFields: ["role_id", "user_id"],
      },
    ]);
  });

  it("deactivates a user, whose sessions end at once, and reactivates the account", async () => {
    const things = () => environment.ask("GET", "/api/public/table/things", { as: person.secret });
    expect((await things()).status).toBe(200);
    const off = await manage("PATCH", `users/${person.id}`, { active: false });
    expect([off.status, off.body.data.active]).toEqual([200, false]);
    expect((await things()).status).toBe(401);
    expect((await manage("PATCH", `users/${person.id}`, { active: true })).status).toBe(200);
    // The session stays invalid, as after a deactivation by an administrator.
    expect((await things()).status).toBe(401);
    expect(await entriesOf(`targetId=${person.id}`)).toMatchObject([
      { action: "user.activate", actorUserId: manager.id, changedFields: ["active"] },
      { action: "user.deactivate", actorUserId: manager.id, changedFields: ["active"] },
    ]);
  });

  it("assigns and removes a role; both take effect on the user's next request", async () => {
    const [role] = (await manage("GET", "roles?where[name][_eq]=Members&fields=id")).body.data;
    const things = () => environment.ask("GET", "/api/public/table/things", { as: person.secret });
    expect((await manage("DELETE", `role_members/${role.id},${person.id}`)).status).toBe(204);
    expect((await things()).status).toBe(401);
    await manage("POST", "role_members", { role_id: role.id, user_id: person.id });
    expect((await things()).status).toBe(200);
  });

  it("deletes a user with sessions and memberships", async () => {
    expect((await manage("DELETE", `users/${person.id}`)).status).toBe(204);
    expect((await environment.ask("GET", "/api/auth/me", { as: person.secret })).status).toBe(401);
    expect(await entriesOf(`targetId=${person.id}`)).toMatchObject([
      { action: "user.delete", actorUserId: manager.id, changedFields: [] },
    ]);
  });

  it("with a token is logged as the token", async () => {
    const { secret, id } = await createToken(environment.test.database, manager.id, "api");
    const answer = await manage("PATCH", `users/${person.id}`, { name: "Renamed" }, secret);
    expect(answer.body.data.name).toBe("Renamed");
    expect(await entriesOf(`targetId=${person.id}`)).toMatchObject([
      { action: "user.update", actorTokenId: id, changedFields: ["name"] },
    ]);
  });

  it("creates or merges many users at once, each with an audit entry", async () => {
    const rows = ["one", "two"].map((name) => ({ email: `${name}@bulk.example`, name }));
    const created = await manage("POST", "users", rows);
    expect(created.status).toBe(201);
    const ids = created.body.data.map(({ id }: { id: string }) => id);
    for (const id of ids) expect(await entriesOf(`targetId=${id}`)).toHaveLength(1);
    const changed = await manage(
      "PATCH",
      "users?where[email][_ends_with]=@bulk.example&max_affected=2",
      {
        language: "de",
      },
    );
    expect(changed.status).toBe(200);
    for (const id of ids) {
      expect(await entriesOf(`targetId=${id}`)).toMatchObject([
        { action: "user.update", changedFields: ["language"] },
        { action: "user.create" },
      ]);
    }
  });

  it("gets the faults of values and of a taken address", async () => {
    expect((await manage("POST", "users", { email: "no address" })).body.errors).toMatchObject([
      { code: "CHECK_VIOLATION", path: "/data/email", message: "This is not an email address" },
    ]);
    expect((await manage("POST", "users", { email: "MANAGER@example.com" })).faults).toEqual([
      "UNIQUE_VIOLATION /data/email",
    ]);
    expect(
      (await manage("PATCH", `users/${person.id}`, { time_zone: "Mars/Base" })).faults,
    ).toEqual(["CHECK_VIOLATION /data/time_zone"]);
  });
});

describe("columns that are secret or reserved for the service", () => {
  it("are reported as missing and cannot be set", async () => {
    const nope = await manage("PATCH", `users/${person.id}`, { nope: "x" });
    expect([nope.status, nope.faults]).toEqual([400, ["FIELD_UNKNOWN /data/nope"]]);
    const before = await traces();
    const values = {
      password_hash: "$argon2id$x",
      is_system: true,
      email_verified_at: "2026-01-01T00:00:00Z",
      last_sign_in_at: "2026-01-01T00:00:00Z",
      version: 1,
      id: "00000000-0000-4000-8000-000000000000",
      created_at: "2026-01-01T00:00:00Z",
      updated_at: "2026-01-01T00:00:00Z",
    };
    for (const [column, value] of Object.entries(values)) {
      for (const answer of [
        await manage("PATCH", `users/${person.id}`, { [column]: value }),
        await manage("POST", "users", { email: "x@example.com", [column]: value }),
      ]) {
        expect(answer.text).toBe(nope.text.replaceAll("nope", column));
      }
    }
    for (const [table, column, value] of [
      ["roles", "is_administrators", true],
      ["roles", "id", administratorsId],
      ["role_members", "created_at", "2026-01-01T00:00:00Z"],
      ["templates", "id", administratorsId],
    ] as const) {
      const answer = await manage("POST", table, { [column]: value });
      expect([answer.status, answer.faults]).toEqual([400, [`FIELD_UNKNOWN /data/${column}`]]);
    }
    expect(await traces()).toBe(before);
  });

  it("that are secret cannot be read, filtered, ordered, searched or aggregated by the manager or an administrator", async () => {
    for (const query of [
      "fields=password_hash",
      "where[password_hash][_nnull]=true",
      "order_by=password_hash",
      "aggregate=max(password_hash)",
      "group_by=password_hash&aggregate=count",
      "fields=sessions.digest",
      "fields=role_members.user.password_hash",
    ]) {
      const answer = await manage("GET", `users?${query}`, undefined, environment.admin.secret);
      expect([query, answer.status]).toEqual([query, 400]);
    }
    const list = await manage("GET", "users", undefined, environment.admin.secret);
    expect(list.status).toBe(200);
    expect(list.text).not.toContain("password_hash");
  });
});

describe("an attempt to exceed the role of a user manager", () => {
  it("fails, changes nothing, and is logged if a rule for everyone rejected it", async () => {
    const [workflows] = (await administer("GET", "/users?search=workflows@")).body.data;
    const [reset] = (await manage("GET", "templates?where[key][_eq]=auth.reset&fields=id")).body
      .data;
    await manage("POST", "role_members", { role_id: managersId, user_id: person.id });
    const attempts: [string, string, unknown, number][] = [
      // Joining Administrators, in every way that a row can be written.
      ["POST", "role_members", { role_id: administratorsId, user_id: manager.id }, 403],
      ["POST", "role_members", [{ role_id: administratorsId, user_id: manager.id }], 403],
      ["PATCH", `role_members/${managersId},${manager.id}`, { role_id: administratorsId }, 403],
      [
        "PATCH",
        `role_members?where[user_id][_eq]=${manager.id}&max_affected=1`,
        { role_id: administratorsId },
        403,
      ],
      [
        "POST",
        "role_members?on_conflict=role_id,user_id&resolution=merge",
        { role_id: administratorsId, user_id: manager.id },
        403,
      ],
      ["PATCH", `role_members/${administratorsId},${second.id}`, { user_id: manager.id }, 403],
      // Removing administrators or taking over their accounts.
      ["DELETE", `role_members/${administratorsId},${second.id}`, undefined, 403],
      [
        "DELETE",
        `role_members?where[role_id][_eq]=${administratorsId}&max_affected=9`,
        undefined,
        403,
      ],
      ["PATCH", `users/${second.id}`, { email: "manager+2@example.com" }, 403],
      ["PATCH", `users/${second.id}`, { active: false }, 403],
      ["PATCH", `users/${second.id}`, { name: "x" }, 403],
      ["PATCH", "users?where[email][_nnull]=true&max_affected=100", { language: "de" }, 409],
      ["POST", "users?on_conflict=email&resolution=merge", { email: second.email, name: "x" }, 400],
      ["DELETE", `users/${second.id}`, undefined, 403],
      // Changing the role itself, and the mails that contain an administrator's link.
      ["PATCH", `roles/${administratorsId}`, { name: "Nobodies" }, 403],
      ["PATCH", `roles/${administratorsId}`, { api_access: false }, 403],
      ["DELETE", `roles/${administratorsId}`, undefined, 409],
      ["PATCH", `templates/${reset.id}`, { text: "https://evil.example/?{{ link }}" }, 403],
      ["PATCH", `templates/${reset.id}`, { key: "other" }, 403],
      [
        "POST",
        "templates",
        { key: "auth.reset", language: "de", subject: "x", text: "{{ link }}" },
        403,
      ],
      // System accounts.
      ["PATCH", `users/${workflows.id}`, { email: "mine@example.com" }, 409],
      ["PATCH", `users/${workflows.id}`, { active: false }, 409],
      ["DELETE", `users/${workflows.id}`, undefined, 409],
      ["POST", "role_members", { role_id: managersId, user_id: workflows.id }, 403],
      ["PATCH", `role_members/${managersId},${person.id}`, { user_id: workflows.id }, 403],
    ];
    const before = await traces();
    for (const [method, path, data, status] of attempts) {
      const answer = await manage(method, path, data);
      expect([method, path, data, answer.status]).toEqual([method, path, data, status]);
      expect(answer.text).not.toMatch(/trigger|constraint|rowhouse\.|plpgsql/i);
    }
    expect(await traces()).toBe(before);
    const failed = (await entriesOf(`actorUserId=${manager.id}&outcome=FAILED&limit=1000`)) as {
      action: string;
      targetId: string | null;
    }[];
    expect(failed.length).toBe(attempts.filter(([, , , status]) => status !== 400).length);
    expect(failed).toContainEqual(
      expect.objectContaining({
        action: "role_member.create",
        targetKind: "role_member",
        changedFields: ["role_id", "user_id"],
        requestId: "request-1",
      }),
    );
    expect(failed).toContainEqual(
      expect.objectContaining({
        action: "user.update",
        targetId: second.id,
        changedFields: ["email"],
      }),
    );
  });

  it("finds no table of secrets, grants, settings, tokens, sessions or the audit log", async () => {
    for (const table of [
      "audit_log",
      "grants",
      "grant_columns",
      "settings",
      "sessions",
      "tokens",
      "token_secrets",
      "links",
      "invitations",
      "invitation_roles",
      "auth_providers",
      "provider_accounts",
      "provider_flows",
      "resources",
      "installation",
      "epoch",
      "migrations",
      "workflows",
      "secret_columns",
      "managed_columns",
    ]) {
      for (const as of [manager.secret, environment.admin.secret]) {
        for (const answer of [
          await manage("GET", table, undefined, as),
          await environment.ask("GET", `/api/system/view/${table}`, { as }),
          await manage("POST", table, { key: "mcp.enabled" }, as),
          await manage("PATCH", `${table}/1`, { key: "x" }, as),
          await manage("DELETE", `${table}/1`, undefined, as),
        ]) {
          expect([table, answer.status, answer.faults]).toEqual([table, 404, ["NOT_FOUND"]]);
        }
      }
    }
  });

  it("is rejected by every route of the Admin API", async () => {
    for (const [method, path] of [
      ["GET", "/users"],
      ["POST", "/users"],
      ["POST", `/roles/${administratorsId}/members`],
      ["POST", "/grants"],
      ["PATCH", "/settings"],
      ["GET", "/audit-log"],
      ["POST", "/tokens"],
    ] as const) {
      const answer = await environment.ask(method, `/admin/api${path}`, {
        as: manager.secret,
        ...(method === "GET" ? {} : { body: { data: {} } }),
      });
      expect([answer.status, answer.faults]).toEqual([403, ["ACTION_DENIED"]]);
    }
  });

  it("gains nothing from a row filter: a hidden administrator looks like a missing one", async () => {
    const [grant] = (
      await administer("GET", `/grants?roleId=${managersId}&action=UPDATE&search=users`)
    ).body.data;
    const rowFilter = { email: { _ends_with: "@bulk.example" } };
    await administer("PATCH", `/grants/${grant.id}`, { rowFilter });
    const hidden = await manage("PATCH", `users/${second.id}`, { name: "x" });
    const nobody = await manage("PATCH", "users/00000000-0000-4000-8000-000000000000", {
      name: "x",
    });
    expect([hidden.status, hidden.text]).toEqual([404, nobody.text]);
    await administer("PATCH", `/grants/${grant.id}`, { rowFilter: null });
  });
});

describe("an administrator who uses the Data API", () => {
  const administrate = (method: string, path: string, data?: unknown) =>
    manage(method, path, data, environment.admin.secret);

  it("creates and changes administrators, and remains one", async () => {
    const member = { role_id: administratorsId, user_id: person.id };
    expect((await administrate("POST", "role_members", member)).status).toBe(201);
    expect((await administrate("PATCH", `users/${person.id}`, { name: "Chief" })).status).toBe(200);
    expect(
      (await administrate("DELETE", `role_members/${administratorsId},${person.id}`)).status,
    ).toBe(204);
    expect((await administrate("PATCH", `users/${second.id}`, { active: false })).status).toBe(200);
    for (const answer of [
      await administrate("PATCH", `users/${environment.admin.id}`, { active: false }),
      await administrate("DELETE", `role_members/${administratorsId},${environment.admin.id}`),
      await administrate("DELETE", `users/${environment.admin.id}`),
    ]) {
      expect([answer.status, answer.body.errors[0].message]).toEqual([
        409,
        "An active administrator must remain",
      ]);
    }
    expect((await administrate("PATCH", `users/${second.id}`, { active: true })).status).toBe(200);
  });
});

describe("a token", () => {
  it("of the api plane creates no administrator even if an administrator owns it; one of the admin plane does", async () => {
    const api = await createToken(environment.test.database, environment.admin.id, "api");
    const admin = await createToken(environment.test.database, environment.admin.id, "admin");
    const [reset] = (await manage("GET", "templates?where[key][_eq]=auth.reset&fields=id,subject"))
      .body.data;
    const attempts = (secret: string) => [
      () =>
        manage("POST", "role_members", { role_id: administratorsId, user_id: person.id }, secret),
      () => manage("PATCH", `users/${second.id}`, { name: "Second" }, secret),
      () => manage("PATCH", `users/${environment.admin.id}`, { name: "First" }, secret),
      () => manage("PATCH", `roles/${administratorsId}`, { description: "Everything" }, secret),
      () => manage("PATCH", `templates/${reset.id}`, { subject: reset.subject }, secret),
    ];
    const before = await traces();
    for (const attempt of attempts(api.secret)) expect((await attempt()).status).toBe(403);
    expect(await traces()).toBe(before);
    // Changes without administrators are allowed as for its owner.
    expect((await manage("PATCH", `users/${person.id}`, { name: "x" }, api.secret)).status).toBe(
      200,
    );
    for (const attempt of attempts(admin.secret))
      expect((await attempt()).status).toBeLessThan(300);
  });

  it("does not change the address of its owner", async () => {
    for (const [user, plane] of [
      [manager, "api"],
      [environment.admin, "api"],
      [environment.admin, "admin"],
    ] as const) {
      const { secret } = await createToken(environment.test.database, user.id, plane);
      const email = "mine@example.com";
      const answer = await manage("PATCH", `users/${user.id}`, { email }, secret);
      expect([answer.status, answer.faults]).toEqual([403, ["ACTION_DENIED"]]);
    }
  });
});

describe("an invitation into Administrators", () => {
  const invite = async (email: string) => {
    const body = { email, name: "Guest", roleIds: [administratorsId] };
    const answer = await environment.ask("POST", "/admin/api/invitations", {
      as: await createSession(environment.test.database, second.id),
      body: { data: body },
    });
    expect(answer.status).toBe(201);
    const mail = (await environment.mails())
      .join("\n")
      .replaceAll(/=\r?\n/g, "")
      .replaceAll("=3D", "=");
    return /token=([\w-]+)/.exec(mail)?.[1] ?? "";
  };
  const accept = (token: string) =>
    environment.ask("POST", "/api/auth/invitations/accept", {
      body: { token, password: "a horse that nobody knows" },
    });

  it("is valid only as long as its author is an administrator", async () => {
    const first = await invite("guest1@example.com");
    expect((await accept(first)).status).toBe(200);
    const later = await invite("guest2@example.com");
    const path = `/roles/${administratorsId}/members/${second.id}`;
    expect((await administer("DELETE", path)).status).toBe(204);
    const read = await environment.ask("POST", "/api/auth/invitations/read", {
      body: { token: later },
    });
    const refused = await accept(later);
    for (const { status, faults } of [read, refused]) {
      expect([status, faults]).toEqual([400, ["BODY_INVALID /token"]]);
    }
    expect((await administer("GET", "/users?search=guest2@")).body.data).toEqual([]);
  });
});

describe("a template that the Data API writes", () => {
  const broken = "Hello {{ nmae";
  const templates = "/api/system/table/templates";
  const idOf = async (key: string) =>
    (await manage("GET", `templates?where[key][_eq]=${key}&where[language][_eq]=en&fields=id`)).body
      .data[0].id as string;
  const textOf = async (id: string) =>
    (
      await environment.test.database.query<{ text: string }>(
        "select text from system.templates where id = $1::text::uuid",
        [id],
      )
    )[0]?.text;

  it("is checked as in the Admin API, by every way of writing it", async () => {
    const id = await idOf("workflow.failures");
    const before = await textOf(id);
    const as = environment.admin.secret;
    const document = {
      key: "letter",
      kind: "DOCUMENT",
      language: "en",
      subject: "Letter",
      format: "TEXT",
    };
    const send = (method: string, path: string, body: unknown) =>
      environment.ask(method, path, { as, body });
    for (const [answer, path] of [
      [await manage("PATCH", `templates/${id}`, { text: broken }), "/data/text"],
      [await manage("PATCH", `templates/${id}`, { text: "{{ nmae }}" }), "/data/text"],
      [await manage("PATCH", `templates/${id}`, { subject: " " }), "/data/subject"],
      [
        await manage("PATCH", `templates/${id}`, { html: "{% raw %}{% endraw %}{% nope %}" }),
        "/data/html",
      ],
      [
        await manage("PATCH", "templates?where[key][_eq]=workflow.failures&max_affected=5", {
          text: broken,
        }),
        "/data/text",
      ],
      [await send("POST", templates, { data: { ...document, text: broken } }), "/data/text"],
      [await send("POST", templates, { data: [{ ...document, text: broken }] }), "/data"],
      [
        await send("POST", "/api/batch", {
          data: [{ method: "PATCH", path: `${templates}/${id}`, data: { text: broken } }],
        }),
        expect.stringMatching(/^\/data\/0/),
      ],
    ] as const) {
      expect([answer.status, answer.body.errors?.[0]], answer.text).toMatchObject([
        400,
        { code: "VALUE_INVALID", path },
      ]);
      expect(await textOf(id)).toBe(before);
    }
    const good = await manage("PATCH", `templates/${id}`, { text: `${before}\n{{ count }}` });
    expect([good.status, good.body.data?.text], good.text).toEqual([200, `${before}\n{{ count }}`]);
    await manage("PATCH", `templates/${id}`, { text: before });
  });

  it("that is broken in the database all the same falls back to the built-in text", async () => {
    const { database } = environment.test;
    await database.query(
      "update system.templates set text = $1::text, html = null where key = 'auth.reset' and language = 'en'",
      [broken],
    );
    const user = await createUser(database, "broken@example.com", "Members");
    for (const text of [broken, "No link here", " "]) {
      await database.query(
        "update system.templates set text = $1::text where key = 'auth.reset' and language = 'en'",
        [text],
      );
      await environment.mails();
      await database.query("delete from system.links");
      await environment.ask("POST", "/api/auth/password/forgot", { body: { email: user.email } });
      const mail = (await environment.mails()).join();
      expect(mail.replaceAll(/=\r?\n/g, "")).toContain("/admin/auth/reset#token");
      expect(mail).not.toContain("No link here");
    }
  });
});
