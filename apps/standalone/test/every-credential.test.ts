// Tiers: all, topologies. Calls each route with each credential.
import { createSecret, digestSecret } from "@rowhouse/access";
import { createSession, createUser } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// Every kind of credential on every route of both APIs. The routes are read from the apps' own tables; a route without
// an expectation fails the test.

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment();
  credentials = await makeCredentials();
});
afterAll(() => environment.stop());

/** The credential that a route requires. */
type Need =
  | "NOTHING"
  | "CREDENTIAL"
  | "SESSION"
  /** A session, or a token of the admin plane. */
  | "PERSON"
  | "ADMINISTRATOR"
  | "ADMINISTRATOR_SESSION";

const needs: Readonly<Record<string, Need>> = {
  // Requests from outside do not reach it; a gateway's assertion does.
  "GET /internal/edge-settings": "NOTHING",
  "GET /admin/api/docs": "NOTHING",
  // The ticket in the address stands for the administrator who previews.
  "GET /admin/api/template-frames/:ticket": "NOTHING",
  "POST /api/auth/login": "NOTHING",
  "POST /api/auth/register": "NOTHING",
  "POST /api/auth/password/forgot": "NOTHING",
  "POST /api/auth/password/reset": "NOTHING",
  "POST /api/auth/email/verify": "NOTHING",
  "POST /api/auth/email/resend": "NOTHING",
  "POST /api/auth/invitations/accept": "NOTHING",
  "POST /api/auth/invitations/read": "NOTHING",
  "GET /api/auth/providers": "NOTHING",
  "GET /api/auth/oauth/:provider": "NOTHING",
  "GET /api/auth/oauth/:provider/callback": "NOTHING",
  "POST /api/auth/oauth/exchange": "NOTHING",
  "POST /api/auth/logout": "SESSION",
  "GET /api/auth/me": "CREDENTIAL",
  "PATCH /api/auth/me": "SESSION",
  "GET /api/auth/sessions": "SESSION",
  "DELETE /api/auth/sessions/:id": "SESSION",
  "POST /api/auth/password/change": "SESSION",
  "POST /api/auth/email/change": "SESSION",
  "GET /api/auth/linked-accounts": "SESSION",
  "DELETE /api/auth/linked-accounts/:id": "SESSION",
  "POST /api/auth/oauth/:provider/link": "SESSION",
  "POST /api/auth/authorizations": "SESSION",
  "POST /api/auth/authorizations/preview": "SESSION",
  "GET /.well-known/oauth-authorization-server": "NOTHING",
  "GET /.well-known/oauth-protected-resource/mcp": "NOTHING",
  "POST /oauth/token": "NOTHING",
  "POST /oauth/revoke": "NOTHING",
  "POST /oauth/register": "NOTHING",
  "GET /api/auth/tokens": "SESSION",
  "POST /api/auth/tokens": "SESSION",
  "GET /api/auth/tokens/:id": "SESSION",
  "PATCH /api/auth/tokens/:id": "SESSION",
  "POST /api/auth/tokens/:id/regenerate": "SESSION",
  "POST /api/auth/tokens/:id/deactivate": "SESSION",
  "POST /api/auth/tokens/:id/activate": "SESSION",
  "POST /api/auth/tokens/:id/revoke": "SESSION",
  // The workflow decides whether a webhook requires a credential, and there is no workflow here.
  "ALL /api/workflows/:slug/webhook": "NOTHING",
  "GET /api/workflows/runs/:run_id/result": "CREDENTIAL",
  "GET /api/openapi": "CREDENTIAL",
  "POST /api/batch": "CREDENTIAL",
  "POST /api/files": "CREDENTIAL",
  "OPTIONS /api/files/uploads": "CREDENTIAL",
  "POST /api/files/uploads": "CREDENTIAL",
  "OPTIONS /api/files/uploads/:id": "CREDENTIAL",
  "GET /api/files/uploads/:id": "NOTHING",
  "PATCH /api/files/uploads/:id": "CREDENTIAL",
  "DELETE /api/files/uploads/:id": "CREDENTIAL",
  // Unless the file exists and is public.
  "GET /api/files/:id": "CREDENTIAL",
  "GET /api/files/:id/:name": "CREDENTIAL",
  "PUT /api/files/:id/content": "CREDENTIAL",
  "POST /api/files/:id/link": "CREDENTIAL",
  "POST /api/files/links": "CREDENTIAL",
  "GET /api/:schema/table/:table": "CREDENTIAL",
  "POST /api/:schema/table/:table": "CREDENTIAL",
  "PATCH /api/:schema/table/:table": "CREDENTIAL",
  "DELETE /api/:schema/table/:table": "CREDENTIAL",
  "GET /api/:schema/table/:table/:id": "CREDENTIAL",
  "GET /api/:schema/table/:table/:id/history": "CREDENTIAL",
  "PATCH /api/:schema/table/:table/:id": "CREDENTIAL",
  "DELETE /api/:schema/table/:table/:id": "CREDENTIAL",
  "POST /api/:schema/table/:table/query": "CREDENTIAL",
  "POST /api/:schema/view/:name/query": "CREDENTIAL",
  "GET /api/:schema/view/:name": "CREDENTIAL",
  "POST /admin/api/sql": "ADMINISTRATOR_SESSION",
  "DELETE /admin/api/sql/:id": "ADMINISTRATOR_SESSION",
};
const needOf = (route: string): Need | undefined =>
  needs[route] ??
  (/ \/app\/api\//.test(route)
    ? "PERSON"
    : / \/admin\/api\//.test(route)
      ? "ADMINISTRATOR"
      : undefined);

/**
 * The result of a credential for each requirement; each call returns its secret, a new one if a route may use it up.
 */
interface CredentialCase {
  readonly secret: () => Promise<string | undefined>;
  readonly passes: readonly Need[];
}
let credentials: Record<string, CredentialCase>;

async function makeCredentials(): Promise<Record<string, CredentialCase>> {
  const { database } = environment.test;
  const run = (text: string) => database.query(text);
  const owner = (name: string, ...roles: string[]) =>
    createUser(database, `${name}@example.com`, ...roles);
  const token = async (userId: string, plane: "api" | "admin", state = "") => {
    const secret = createSecret("TOKEN");
    const [row] = await database.query<{ id: string }>(
      `insert into system.tokens (user_id, name, plane, lifetime_days, expires_at)
       values ('${userId}', '${digestSecret(secret).slice(-20)}', '${plane}', 1, now() + interval '1 day') returning id`,
    );
    await run(
      `insert into system.token_secrets (digest, token_id, is_current, expires_at)
       values ('${digestSecret(secret)}', '${row?.id}', true, now() + interval '1 day')`,
    );
    if (state !== "") await run(`update system.tokens set ${state} where id = '${row?.id}'`);
    return secret;
  };
  /** A token's previous secret, valid for so many more seconds. */
  const oldSecret = async (userId: string, plane: "api" | "admin", seconds: number) => {
    const [current, old] = [await token(userId, plane), createSecret("TOKEN")];
    await run(
      `insert into system.token_secrets (digest, token_id, is_current, expires_at)
       select '${digestSecret(old)}', token_id, false, now() + interval '${seconds} seconds'
       from system.token_secrets where digest = '${digestSecret(current)}'`,
    );
    return old;
  };
  const fixed = (secret: string | undefined, ...passes: Need[]): CredentialCase => ({
    secret: async () => secret,
    passes,
  });
  const { admin, member } = environment;
  const flip = (secret: string) => secret.slice(0, -1) + (secret.endsWith("A") ? "B" : "A");

  // Rights are removed after the credentials were created, as in production.
  const system = await owner("system", "Members");
  const systemToken = await token(system.id, "api");
  await run(`update system.users set is_system = true where id = '${system.id}'`);
  const outside = await owner("outside");
  const fallen = await owner("fallen", "Members");
  const inactive = await owner("inactive", "Members");
  const inactiveToken = await token(inactive.id, "api");
  await run(`update system.users set active = false where id = '${inactive.id}'`);
  const ended = await createSession(database, member.id);
  await run(
    `update system.sessions set expires_at = now() where digest = '${digestSecret(ended)}'`,
  );

  return {
    "no credential": fixed(undefined),
    "a session": {
      secret: () => createSession(database, member.id),
      passes: ["CREDENTIAL", "SESSION"],
    },
    "an administrator's session": {
      secret: () => createSession(database, admin.id),
      passes: ["CREDENTIAL", "SESSION", "ADMINISTRATOR", "ADMINISTRATOR_SESSION"],
    },
    "a revoked session": fixed(ended),
    "a token of the api plane": fixed(await token(member.id, "api"), "CREDENTIAL"),
    "an administrator's token of the api plane": fixed(await token(admin.id, "api"), "CREDENTIAL"),
    "a token of the admin plane": fixed(
      await token(admin.id, "admin"),
      "CREDENTIAL",
      "ADMINISTRATOR",
    ),
    "an old secret within its grace": fixed(await oldSecret(member.id, "api", 3600), "CREDENTIAL"),
    "an old secret after its grace": fixed(await oldSecret(admin.id, "admin", 0)),
    "an expired token": fixed(await token(admin.id, "admin", "expires_at = now()")),
    "a revoked token": fixed(await token(admin.id, "admin", "revoked_at = now()")),
    "a deactivated token": fixed(await token(admin.id, "admin", "active = false")),
    "a token with a wrong checksum": fixed(flip(await token(admin.id, "admin"))),
    "a token that was never issued": fixed(createSecret("TOKEN")),
    "a session of a system account": fixed(system.secret),
    "a token of a system account": fixed(systemToken),
    "a session of a user without API access": fixed(outside.secret),
    "a token of a user without API access": fixed(await token(outside.id, "api")),
    "a token of the admin plane whose owner is not an administrator": fixed(
      await token(fallen.id, "admin"),
    ),
    "a session of an inactive user": fixed(inactive.secret),
    "a token of an inactive user": fixed(inactiveToken),
    "a link's secret": fixed(createSecret("LINK")),
  };
}

const nobody = "00000000-0000-4000-8000-000000000000";
const routesOf = async () => [
  ...new Set(
    (await environment.services())
      .flatMap((service) => service.routes)
      // Middleware is listed under ALL with a star, or under the path of a listed route.
      .filter(({ method, path }) => method !== "ALL" || path.endsWith("/webhook"))
      // The form of an id is not part of the name of its route.
      .map(
        ({ method, path }) =>
          `${method} ${path.replaceAll(/\{(?:[^{}]|\{[^{}]*\})*\}/g, (form) => (form.includes("[") ? "" : form))}`,
      ),
  ),
];

describe("every route of both APIs", () => {
  it("has an expected credential", async () => {
    const routes = await routesOf();
    expect(routes.length).toBeGreaterThan(60);
    expect(routes.filter((route) => needOf(route) === undefined)).toEqual([]);
  });

  it("accepts the required credentials and rejects all others with one response", async () => {
    const results: string[] = [];
    const expected: string[] = [];
    for (const route of await routesOf()) {
      const need = needOf(route) ?? "NOTHING";
      const [verb = "", path = ""] = route.split(" ");
      const method = verb === "ALL" ? "POST" : verb;
      const address = path
        .replaceAll(/:schema|\{schema\}/g, "nope")
        .replaceAll(/:\w+|\{\w+\}/g, nobody);
      let open: string | undefined;
      for (const [name, { secret, passes }] of Object.entries(credentials)) {
        const answer = await environment.ask(method, address, {
          as: await secret(),
          ...(method === "GET" || method === "DELETE" ? {} : { body: {} }),
        });
        const refusal = [401, 403].includes(answer.status)
          ? `${answer.status} ${answer.faults.join()}`
          : "passes";
        if (need === "NOTHING") {
          // An open route returns the same response to all callers, because it ignores credentials.
          open ??= `${answer.status} ${answer.text}`;
          results.push(`${route}: ${name}: ${answer.status} ${answer.text}`);
          expected.push(`${route}: ${name}: ${open}`);
          continue;
        }
        results.push(`${route}: ${name}: ${refusal}`);
        expected.push(`${route}: ${name}: ${expectation(need, passes)}`);
      }
    }
    expect(results).toEqual(expected);
  });
});

describe("a webhook", () => {
  const administer = (method: string, path: string, data?: unknown) =>
    environment.ask(method, `/admin/api${path}`, {
      as: environment.admin.secret,
      ...(data === undefined ? {} : { body: { data } }),
    });
  /** A published workflow and its URL. */
  const publish = async (slug: string, trigger: object) => {
    const made = await administer("POST", "/workflows", {
      slug,
      name: slug,
      definition: {
        trigger: { kind: "webhook", response: "ASYNCHRONOUS", ...trigger },
        steps: [{ id: "end", kind: "finish", result: null }],
      },
    });
    expect(made.status, made.text).toBe(201);
    const { id } = made.body.data;
    for (const verb of ["publish", "enable"]) {
      const answer = await administer("POST", `/workflows/${id}/${verb}`);
      expect(answer.status, answer.text).toBe(200);
    }
    return { id: id as string, path: `/api/workflows/${slug}/webhook` };
  };
  const outcomes = async (path: string, method = "POST") => {
    const results: Record<string, string> = {};
    for (const [name, { secret }] of Object.entries(credentials)) {
      const answer = await environment.ask(method, path, {
        as: await secret(),
        ...(method === "POST" ? { body: {} } : {}),
      });
      results[name] = `${answer.status} ${answer.faults.join()}`;
    }
    return results;
  };
  const expected = (outcome: (name: string, credential: CredentialCase) => string) =>
    Object.fromEntries(
      Object.entries(credentials).map(([name, credential]) => [name, outcome(name, credential)]),
    );

  it("that is authenticated accepts valid credentials of callers with the invoke grant only", async () => {
    const { id, path } = await publish("authenticated", { access: "AUTHENTICATED" });
    const members = await administer("GET", "/roles?search=members");
    const administrators = await administer("GET", "/roles?search=administrators");
    const isAdministrator = (name: string) =>
      name.includes("administrator") || name.includes("admin plane");
    const good = ({ passes }: CredentialCase) => passes.includes("CREDENTIAL");
    const refused = "401 AUTHENTICATION_REQUIRED";
    const before = await outcomes(path);
    expect(before).toEqual(
      expected((_, credential) => {
        if (!good(credential)) return refused;
        // It rejects administrators too: no role has the invoke grant yet.
        return "403 ACTION_DENIED";
      }),
    );
    const grants = `/workflows/${id}/invoke-grants`;
    for (const [role, mayInvoke] of [
      [members, (name: string) => !isAdministrator(name)],
      [administrators, isAdministrator],
    ] as const) {
      const roleId = role.body.data[0].id;
      const granted = await administer("POST", grants, { roleId });
      expect(granted.status, granted.text).toBe(201);
      const twice = await administer("POST", grants, { roleId });
      expect([twice.status, twice.faults]).toEqual([409, ["CONFLICT /data/roleId"]]);
      expect(await outcomes(path)).toEqual(
        expected((name, credential) => {
          if (!good(credential)) return refused;
          return mayInvoke(name) ? "202 " : "403 ACTION_DENIED";
        }),
      );
      const taken = await administer("DELETE", `${grants}/${roleId}`);
      expect(taken.status, taken.text).toBe(204);
      expect(await outcomes(path)).toEqual(before);
    }
  });

  it("that is public ignores credentials, and one with the other method is unknown to all callers", async () => {
    const { path } = await publish("public", {
      access: "PUBLIC",
      executeAs: environment.member.id,
    });
    expect(await outcomes(path)).toEqual(expected(() => "202 "));
    expect(await outcomes(path, "GET")).toEqual(expected(() => "404 WORKFLOW_NOT_FOUND"));
    expect(await outcomes("/api/workflows/unknown/webhook")).toEqual(
      expected(() => "404 WORKFLOW_NOT_FOUND"),
    );
  });
});

describe("a good credential", () => {
  it("counts only behind Bearer", async () => {
    const secret = await createSession(environment.test.database, environment.admin.id);
    const basic = Buffer.from(`admin:${secret}`).toString("base64");
    const places: Record<string, string>[] = [
      { Cookie: `session=${secret}; token=${secret}; Authorization=${secret}` },
      { "X-Api-Key": secret, "X-Auth-Token": secret, "X-Access-Token": secret },
      { "Proxy-Authorization": `Bearer ${secret}` },
      { Authorization: secret },
      { Authorization: `Basic ${basic}` },
      { Authorization: `Token ${secret}` },
      { Authorization: `Bearer ${secret}, Bearer ${secret}` },
      { Authorization: `Bearer "${secret}"` },
    ];
    const query = `access_token=${secret}&token=${secret}&api_key=${secret}`;
    for (const path of ["/api/auth/me", "/api/public/table/things", "/admin/api/roles"]) {
      for (const headers of places) {
        const answer = await environment.ask("GET", path, { headers });
        expect([path, headers, answer.status]).toEqual([path, headers, 401]);
      }
      expect((await environment.ask("GET", `${path}?${query}`)).status).toBe(401);
      // The name of the scheme is case-insensitive, as HTTP requires.
      const answer = await environment.ask("GET", path, {
        headers: { Authorization: `bEARER ${secret}` },
      });
      expect([path, answer.status]).toEqual([path, 200]);
    }
  });
});

function expectation(need: Need, passes: readonly Need[]): string {
  if (passes.includes(need)) return "passes";
  if (passes.length === 0) return "401 AUTHENTICATION_REQUIRED";
  if (need === "PERSON" && passes.some((passed) => passed !== "CREDENTIAL")) return "passes";
  if (need === "ADMINISTRATOR_SESSION" && passes.includes("ADMINISTRATOR")) {
    return "403 SESSION_REQUIRED";
  }
  return need === "SESSION" ? "403 SESSION_REQUIRED" : "403 ACTION_DENIED";
}
