// Tiers: long, topologies. Starts processes; more of them in a long run.
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { openDatabase } from "@rowhouse/db";
import {
  isLongRun,
  moveClock,
  signIn,
  startTestEnvironment,
  type TestEnvironment,
  topologyNames,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, type Client, createClient } from "./client.ts";
import { callTool } from "./mcp-client.ts";
import { connectOfficialClient } from "./oauth-client.ts";
import { type TestEnvironment as Asking, publicUrl } from "./test-environment.ts";

// The whole service from outside, by HTTP only: the same guarantees with one, four and seven processes.
// `pnpm test:topologies seven` runs it with seven that connect to PostgreSQL directly.
// `npm run test:long` adds the one between.
const isLong = isLongRun();
const between = isLong ? (["four-behind-pgbouncer"] as const) : [];

describe.each(topologyNames("one", ...between, "seven-behind-pgbouncer"))("%s", (kind) => {
  let environment: TestEnvironment;
  let admin = "";
  let driver = "";
  let resourceId = "";
  let roleId = "";

  const ask: Client["ask"] = (...request) => createClient(environment).ask(...request);
  const administer = async (method: string, path: string, data?: unknown): Promise<Answer> =>
    ask(method, `/admin/api${path}`, {
      as: admin,
      ...(data === undefined ? {} : { body: { data } }),
    });
  /** Sends requests of programs, whose answers no document of the service describes. */
  const askFromOutside: Asking["ask"] = async (method, path, { as, body, raw, headers } = {}) => {
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${environment.url}${path}`, {
      method,
      headers: {
        ...(text === undefined ? {} : { "Content-Type": "application/json" }),
        ...(as === undefined ? {} : { Authorization: `Bearer ${as}` }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
    });
    const answer = await response.text();
    return {
      ...{ status: response.status, headers: response.headers, text: answer, faults: [] },
      body: answer === "" ? undefined : JSON.parse(answer),
    };
  };
  const codes = (answer: Answer) => [
    answer.status,
    answer.body.errors.map((fault: { code: string }) => fault.code),
  ];

  beforeAll(async () => {
    environment = await startTestEnvironment({ kind });
  });
  afterAll(() => environment.stop());

  test("the administrator signs in", async () => {
    const answer = await ask("POST", "/api/auth/login", { body: signIn });
    expect(answer.status).toBe(200);
    expect(answer.body.data.user.email).toBe(signIn.email);
    admin = answer.body.data.token;
    expect((await ask("GET", "/api/auth/me", { as: admin })).body.data.email).toBe(signIn.email);
    const refused = await ask("POST", "/api/auth/login", {
      body: { ...signIn, password: "wrong" },
    });
    expect(codes(refused)).toEqual([401, ["INVALID_CREDENTIALS"]]);
  });

  test("a table is previewed, created, exposed and granted", async () => {
    const definition = {
      name: "vehicles",
      columns: [
        { name: "id", dataType: "bigint", identity: "ALWAYS", primaryKey: true },
        {
          name: "plate",
          dataType: "text",
          nullable: false,
          check: "length(plate) between 2 and 12",
          checkMessage: "A plate has 2 to 12 characters",
        },
        { name: "price", dataType: "numeric", nullable: true },
        { name: "keeper", dataType: "text", nullable: true },
      ],
    };
    const preview = await administer("POST", "/schema/public/tables/preview", definition);
    expect(preview.body.data.sql[0]).toContain("vehicles");
    const created = await administer("POST", "/schema/public/tables", definition);
    expect(created.status).toBe(201);
    resourceId = created.body.data.resourceId;

    const row = { as: admin, body: { data: { plate: "AB-123", price: "12.50" } } };
    expect((await ask("POST", "/api/public/table/vehicles", row)).status).toBe(404);
    const exposedMethods = ["GET", "POST", "PATCH", "DELETE"];
    expect((await administer("PATCH", `/resources/${resourceId}`, { exposedMethods })).status).toBe(
      200,
    );
    const written = await ask("POST", "/api/public/table/vehicles", row);
    expect(written.status).toBe(201);
    expect(written.body.data).toEqual({ id: "1", plate: "AB-123", price: "12.50", keeper: null });
  });

  test("a role sees its own rows and fields from the next request on", async () => {
    const password = "another horse battery staple";
    const email = "driver@example.com";
    const user = await administer("POST", "/users", { email, password });
    const role = await administer("POST", "/roles", { name: "Keepers" });
    roleId = role.body.data.id;
    await administer("POST", `/roles/${roleId}/members`, { userId: user.body.data.id });
    driver = (await ask("POST", "/api/auth/login", { body: { email, password } })).body.data.token;

    const path = "/api/public/table/vehicles";
    expect(codes(await ask("GET", path, { as: driver }))).toEqual([404, ["NOT_FOUND"]]);
    const grant = await administer("POST", "/grants", {
      roleId,
      resourceId,
      action: "READ",
      fields: ["id", "plate"],
      rowFilter: { keeper: { _eq: "$USER.email" } },
    });
    expect(grant.status).toBe(201);
    expect((await ask("GET", path, { as: driver })).body.data).toEqual([]);
    const change = { as: admin, body: { data: { keeper: email } } };
    expect((await ask("PATCH", `${path}/1`, change)).status).toBe(200);
    expect((await ask("GET", path, { as: driver })).body.data).toEqual([
      { id: "1", plate: "AB-123" },
    ]);
    expect(codes(await ask("GET", `${path}?where[price][_eq]=1`, { as: driver }))).toEqual(
      codes(await ask("GET", `${path}?where[nope][_eq]=1`, { as: driver })),
    );
    expect(codes(await ask("POST", path, { as: driver, body: { data: { plate: "XX" } } }))).toEqual(
      [403, ["ACTION_DENIED"]],
    );

    await administer("DELETE", `/grants/${grant.body.data.id}`);
    expect((await ask("GET", path, { as: driver })).status).toBe(404);
  });

  test("a webhook writes a row and returns its result", async () => {
    const me = (await ask("GET", "/api/auth/me", { as: admin })).body.data;
    const workflow = await administer("POST", "/workflows", {
      slug: "register",
      name: "Register a vehicle",
      definition: {
        trigger: { kind: "webhook", access: "PUBLIC", executeAs: me.id },
        steps: [
          {
            id: "row",
            kind: "createRow",
            table: "vehicles",
            values: { plate: "{{start.data.body.plate}}" },
          },
          { id: "end", kind: "finish", result: { id: "{{steps.row.id}}" } },
        ],
      },
    });
    expect(workflow.status).toBe(201);
    const { id } = workflow.body.data;
    const hook = "/api/workflows/register/webhook";
    expect(codes(await ask("POST", hook, { body: {} }))).toEqual([404, ["WORKFLOW_NOT_FOUND"]]);
    expect((await administer("POST", `/workflows/${id}/publish`)).status).toBe(200);
    expect((await administer("POST", `/workflows/${id}/enable`)).status).toBe(200);

    const run = await ask("POST", hook, { body: { plate: "CD-456" } });
    expect(run.status).toBe(200);
    expect(run.body.data.status).toBe("SUCCEEDED");
    const row = await ask("GET", `/api/public/table/vehicles/${run.body.data.result.id}`, {
      as: admin,
    });
    expect(row.body.data.plate).toBe("CD-456");
    expect(codes(await ask("GET", hook))).toEqual([404, ["WORKFLOW_NOT_FOUND"]]);
    expect(codes(await ask("POST", hook, { body: "text" }))).toEqual([
      400,
      ["WORKFLOW_WEBHOOK_INVALID_PAYLOAD"],
    ]);
  });

  test("a webhook's run receives the headers that its caller sent, and no others", async () => {
    const me = (await ask("GET", "/api/auth/me", { as: admin })).body.data;
    const workflow = await administer("POST", "/workflows", {
      slug: "headers",
      name: "Headers",
      definition: {
        trigger: { kind: "webhook", access: "PUBLIC", executeAs: me.id },
        steps: [{ id: "end", kind: "finish", result: "{{start.data.meta.headers}}" }],
      },
    });
    for (const verb of ["publish", "enable"]) {
      await administer("POST", `/workflows/${workflow.body.data.id}/${verb}`);
    }
    const hook = new URL("/api/workflows/headers/webhook", environment.url);
    const call = async (more: Readonly<Record<string, string | string[]>>) => {
      const request = httpRequest(hook, {
        method: "POST",
        agent: false,
        headers: {
          Accept: "*/*",
          "Accept-Language": "nb, en",
          Authorization: "Bearer of nothing",
          Cookie: "a=1; b=2",
          "X-Custom": ["one", "two"],
          "X-Forwarded-For": "203.0.113.9",
          "X-Request-Id": "callers-own-id",
          x_plain: "kept",
          // Headers of one connection, or reserved for the gateway.
          Connection: "close, X-Listed, Authorization",
          "X-Listed": "of the connection",
          "Keep-Alive": "timeout=5",
          TE: "trailers",
          "Proxy-Authorization": "Basic Og==",
          traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
          tracestate: "a=b",
          "X-Rowhouse-Assertion": "forged",
          X_Rowhouse_Assertion: "forged",
          ...more,
        },
      });
      request.end("{}");
      const [response] = (await once(request, "response")) as [IncomingMessage];
      const text = (await response.toArray()).join("");
      expect([response.statusCode, text]).toEqual([200, expect.any(String)]);
      return JSON.parse(text).data.result;
    };
    const expected = {
      accept: "*/*",
      "accept-language": "nb, en",
      authorization: "[redacted]",
      cookie: "[redacted]",
      host: hook.host,
      "x-custom": "one, two",
      "x-forwarded-for": "203.0.113.9",
      "x-request-id": "callers-own-id",
      x_plain: "kept",
    };
    expect(await call({ "Content-Length": "2" })).toEqual({ ...expected, "content-length": "2" });
    expect(await call({ "Transfer-Encoding": "chunked" })).toEqual(expected);
  });

  test("an agent with a person's consent writes and waits for a run, through any process, until its token is revoked", async () => {
    const set = async (data: object) =>
      expect((await administer("PATCH", "/settings", data)).status).toBe(200);
    const mcp = { "mcp.access": "READ_WRITE", "mcp.allow_workflows": true, "mcp.oauth": true };
    await set({ ...mcp, "mcp.enabled": true, "mcp.dynamic_registration": true });
    await set({ "system.public_url": publicUrl });
    const agent = await connectOfficialClient({ ask: askFromOutside }, ({ request }) => {
      const approval = { decision: "APPROVE", name: "Agent", days: 30 };
      const body = { ...request, ...approval, scopes: ["read", "write", "workflows"] };
      return askFromOutside("POST", "/api/auth/authorizations", { as: admin, body });
    });
    const vehicles = { schema: "public", name: "vehicles" };
    const rows = [{ plate: "MC-100", price: "9007199254740993.10" }];
    const create = { ...vehicles, rows, idempotencyKey: "once" };
    const created = await callTool(agent, "create_rows", create);
    expect(created.content.data).toMatchObject([rows[0]]);
    // The next calls reach the other processes.
    for (let call = 0; call < 3; call += 1) {
      const again = await callTool(agent, "create_rows", create);
      expect(again.content).toEqual({ ...created.content, replayed: true });
    }
    const where = { plate: { _eq: "MC-100" } };
    const change = { ...vehicles, where, values: { price: "1.00" }, maxAffected: 1, dryRun: true };
    expect((await callTool(agent, "update_rows", change)).content).toMatchObject({ dryRun: true });
    const read = await callTool(agent, "read_rows", { ...vehicles, where });
    expect(read.content.data).toMatchObject(rows);

    const roles = (await administer("GET", "/roles?search=administrators")).body.data;
    const { id } = (
      await administer("POST", "/workflows", {
        ...{ slug: "echo", name: "Echo" },
        definition: {
          trigger: {
            ...{ kind: "webhook", access: "AUTHENTICATED", response: "SYNCHRONOUS" },
            tool: {
              description: "Returns its number.",
              input: {
                type: "object",
                properties: { n: { type: "number" } },
                additionalProperties: false,
              },
            },
          },
          steps: [{ id: "end", kind: "finish", result: "{{start.data.body.n}}" }],
        },
      })
    ).body.data;
    for (const verb of ["publish", "enable"]) await administer("POST", `/workflows/${id}/${verb}`);
    await administer("POST", `/workflows/${id}/invoke-grants`, { roleId: roles[0]?.id });
    for (let n = 1; n <= 4; n += 1) {
      const run = { slug: "echo", input: { n }, idempotencyKey: `run-${n}` };
      const ended = await callTool(agent, "run_workflow", run);
      expect(ended.content).toMatchObject({ data: { status: "SUCCEEDED", result: n } });
      const again = await callTool(agent, "run_workflow", run);
      expect(again.content).toEqual({ ...ended.content, replayed: true });
    }

    const [token] = (await ask("GET", "/api/auth/tokens?client=true", { as: admin })).body.data;
    expect(token).toMatchObject({ name: "Agent", scopes: ["read", "write", "workflows"] });
    await ask("POST", `/api/auth/tokens/${token.id}/revoke`, { as: admin });
    for (let call = 0; call < 4; call += 1) {
      await expect(callTool(agent, "read_rows", vehicles)).rejects.toThrow(
        "The code or refresh token is unknown",
      );
    }
    await agent.close();
    await set({ "mcp.enabled": null, "system.public_url": null });
  });

  test("a run that an administrator starts wakes a worker, from any process", async () => {
    const me = (await ask("GET", "/api/auth/me", { as: admin })).body.data;
    const workflow = await administer("POST", "/workflows", {
      slug: "by-hand",
      name: "By hand",
      definition: {
        trigger: { kind: "manual", executeAs: me.id },
        steps: [{ id: "end", kind: "finish", result: "{{start.data.n}}" }],
      },
    });
    const path = `/workflows/${workflow.body.data.id}`;
    await administer("POST", `${path}/publish`);
    await administer("POST", `${path}/enable`);
    const ended = async (run: string) => {
      for (;;) {
        const { data } = (await administer("GET", `${path}/runs/${run}`)).body;
        if (data.finishedAt !== null) return data;
      }
    };
    const begin = {
      start: () => administer("POST", `${path}/runs`, { n: 7 }),
      test: () => administer("POST", `${path}/test`, { n: 7 }),
      again: async () => {
        const [first] = (await administer("GET", `${path}/runs`)).body.data;
        return administer("POST", `${path}/runs/${first.id}/again`);
      },
    };
    for (const started of Object.values(begin)) {
      // The reconciler ignores runs in their first two seconds: a run that starts earlier was woken by its accepting
      // process.
      await expect
        .poll(
          async () => {
            const answer = await started();
            expect(answer.status).toBe(201);
            const run = await ended(answer.body.data.run);
            expect(run).toMatchObject({ status: "SUCCEEDED", result: 7 });
            return Date.parse(run.startedAt) - Date.parse(run.acceptedAt);
          },
          { timeout: 60_000 },
        )
        .toBeLessThan(2000);
    }
  }, 200_000);

  test("a schedule runs at its due time", async () => {
    const me = (await ask("GET", "/api/auth/me", { as: admin })).body.data;
    const made = await administer("POST", "/workflows", {
      slug: "hourly",
      name: "Hourly",
      definition: {
        trigger: { kind: "schedule", cron: "0 * * * *", executeAs: me.id },
        steps: [{ id: "end", kind: "finish", result: "{{start.data.scheduledAt}}" }],
      },
    });
    const path = `/workflows/${made.body.data.id}`;
    await administer("POST", `${path}/publish`);
    const { nextRunAt } = (await administer("POST", `${path}/enable`)).body.data;
    const database = openDatabase({
      url: environment.test.ownerUrl,
      applicationName: "clock",
      connectionsMax: 1,
    });
    await moveClock(database, (Date.parse(nextRunAt) - Date.now()) / 1000 + 1);
    const runs = async () => (await administer("GET", `${path}/runs`)).body.data;
    await expect
      .poll(runs, { timeout: 60_000, interval: 200 })
      .toEqual([expect.objectContaining({ origin: "SCHEDULE", status: "SUCCEEDED" })]);
    const [{ id }] = await runs();
    const { result } = (await administer("GET", `${path}/runs/${id}`)).body.data;
    expect(Date.parse(result)).toBe(Date.parse(nextRunAt));
    await administer("POST", `${path}/disable`);
    await moveClock(database, 0);
    await database.close();
  });

  test("a violated check returns its message", async () => {
    const answer = await ask("POST", "/api/public/table/vehicles", {
      as: admin,
      body: { data: { plate: "X" } },
    });
    expect(answer.body.errors).toEqual([
      expect.objectContaining({
        code: "CHECK_VIOLATION",
        message: "A plate has 2 to 12 characters",
      }),
    ]);
  });

  test("a changed setting takes effect at once, at the gateway and in the services", async () => {
    const set = async (data: object) =>
      expect((await administer("PATCH", "/settings", data)).status).toBe(200);
    const origin = { Origin: "https://a.example" };
    const allowed = (answer: { headers: Headers }) =>
      answer.headers.get("access-control-allow-origin");
    const preflight = () =>
      ask("OPTIONS", "/api/auth/me", {
        headers: { ...origin, "Access-Control-Request-Method": "GET" },
      });
    const called = () => ask("GET", "/api/auth/me", { headers: origin, as: admin });
    expect([allowed(await preflight()), allowed(await called())]).toEqual([null, null]);
    await set({ "security.cors_origins": ["https://a.example"] });
    expect(allowed(await called())).toBe("https://a.example");
    expect(allowed(await preflight())).toBe("https://a.example");
    await set({ "security.cors_origins": null });
    expect(allowed(await preflight())).toBe(null);
    expect(allowed(await called())).toBe(null);

    const list = (limit: number) =>
      ask("GET", `/api/public/table/vehicles?limit=${limit}`, { as: admin });
    expect((await list(900)).status).toBe(200);
    await set({ "data.max_limit": 899 });
    expect(codes(await list(900))).toEqual([400, ["QUERY_INVALID"]]);
    await set({ "data.max_limit": null });
    expect((await list(900)).status).toBe(200);

    const body = { data: { plate: "x".repeat(1_100_000) } };
    const post = () => ask("POST", "/api/public/table/vehicles", { as: admin, body });
    expect(codes(await post())).toEqual([413, ["BODY_TOO_LARGE"]]);
    await set({ "limits.body_bytes": 2_000_000 });
    expect(codes(await post())).toEqual([400, ["CHECK_VIOLATION"]]);
    await set({ "limits.body_bytes": null });
    expect(codes(await post())).toEqual([413, ["BODY_TOO_LARGE"]]);
    expect(codes(await ask("GET", "/internal/edge-settings", { as: admin }))).toEqual([
      404,
      ["NOT_FOUND"],
    ]);
  });

  test.each([
    [
      "no credential",
      "GET",
      "/api/public/table/vehicles",
      undefined,
      401,
      "AUTHENTICATION_REQUIRED",
    ],
    [
      "a bad credential",
      "GET",
      "/api/public/table/vehicles",
      "rhs_nope",
      401,
      "AUTHENTICATION_REQUIRED",
    ],
    ["an unknown path returns 404", "GET", "/nope", undefined, 404, "NOT_FOUND"],
    ["another method", "DELETE", "/api/auth/login", undefined, 405, "METHOD_NOT_ALLOWED"],
    [
      "an admin route rejects a request without a credential",
      "GET",
      "/admin/api/roles",
      undefined,
      401,
      "AUTHENTICATION_REQUIRED",
    ],
  ])("%s", async (_name, method, path, as, status, code) => {
    const answer = await ask(method, path, as === undefined ? {} : { as });
    expect(codes(answer)).toEqual([status, [code]]);
    expect(answer.headers.get("x-request-id")).toBe(answer.body.meta.requestId);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test("an administrator's route rejects every other user", async () => {
    expect(codes(await ask("GET", "/admin/api/roles", { as: driver }))).toEqual([
      403,
      ["ACTION_DENIED"],
    ]);
  });

  test("the Admin API serves its document", async () => {
    const answer = await ask("GET", "/admin/api/openapi", { as: admin });
    expect(answer.body.openapi ?? answer.body.data?.openapi).toBe("3.1.0");
  });

  test("the former address of the reference leads to its page, and the documents require a credential", async () => {
    const moved = await fetch(`${environment.url}/admin/api/docs`, { redirect: "manual" });
    expect([moved.status, moved.headers.get("location")]).toEqual([302, "/admin/reference"]);
    const page = await fetch(`${environment.url}/admin/reference`, {
      headers: { Accept: "text/html" },
    });
    expect([page.status, page.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    expect((await ask("GET", "/admin/api/openapi")).status).toBe(401);
    expect((await ask("GET", "/admin/api/docs/nope")).status).toBe(401);
  });

  test("a body over the limit is rejected", async () => {
    const body = { data: { plate: "x".repeat(1_100_000) } };
    expect(codes(await ask("POST", "/api/public/table/vehicles", { as: admin, body }))).toEqual([
      413,
      ["BODY_TOO_LARGE"],
    ]);
  });

  test("a signed-out session is invalid", async () => {
    expect((await ask("POST", "/api/auth/logout", { as: admin })).status).toBe(204);
    expect((await ask("GET", "/api/auth/me", { as: admin })).status).toBe(401);
  });
});
