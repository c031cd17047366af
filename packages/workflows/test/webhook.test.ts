import { once } from "node:events";
import { createServer } from "node:http";
import { AppError } from "@rowhouse/errors";
import { hasRedis, type RedisServer, startRedis } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  addInvokeGrant,
  deleteWorkflow,
  listInvokeGrants,
  openWorkflowConnections,
  publishWorkflow,
  readRun,
  readRunResult,
  removeInvokeGrant,
  setWorkflowEnabled,
  updateWorkflow,
} from "../src/index.ts";
import { actor, openTestEnvironment, type TestEnvironment, vault } from "./test-environment.ts";

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment({ allowedHosts: ["127.0.0.1"] });
});
afterAll(() => environment.close());

const end = [{ id: "end", kind: "finish", result: "{{start.data}}" }] as const;
const finish = () => end.map((step) => ({ ...step }));
let lastIp = 0;
/** Returns a new source address, so that the rate limit counts for one test only. */
const freshIp = () => `198.18.${Math.floor(++lastIp / 250)}.${(lastIp % 250) + 1}`;

async function failure(call: Promise<unknown>): Promise<AppError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof AppError) return error;
  throw error ?? new Error("the call succeeded");
}

describe("a webhook that cannot be called", () => {
  it("unknown, unpublished and disabled workflows and a wrong method return the same 404", async () => {
    const { slug, id } = await environment.publish(finish());
    const disabled = await environment.publish(finish());
    await setWorkflowEnabled(environment.database, disabled.id, false, actor);
    const draft = await environment.publish(finish());
    await environment.database.query(
      "update system.workflows set published_version_id = null where id = $1::text::uuid",
      [draft.id],
    );
    const deleted = await environment.publish(finish());
    await deleteWorkflow(environment.database, deleted.id, actor);
    const answers = await Promise.all([
      failure(environment.call("unknown")),
      failure(environment.call("NOT A SLUG '\"")),
      failure(environment.call(disabled.slug)),
      failure(environment.call(draft.slug)),
      failure(environment.call(deleted.slug)),
      ...["GET", "HEAD", "PUT", "DELETE", "OPTIONS"].map((method) =>
        failure(environment.call(slug, { method })),
      ),
    ]);
    for (const error of answers) {
      expect(error.faults).toEqual([
        { code: "WORKFLOW_NOT_FOUND", message: "The workflow does not exist" },
      ]);
      expect(error).toMatchObject({ status: 404, headers: {}, meta: {} });
    }
    expect((await environment.call(slug, { ip: freshIp() })).status).toBe(200);
    expect(id).not.toBe(disabled.id);
  });

  it("neither credential nor body is read before a 404", async () => {
    const { slug } = await environment.publish(finish(), { access: "AUTHENTICATED" });
    let touched = 0;
    const touch = async (): Promise<never> => {
      touched += 1;
      throw new Error("touched");
    };
    await failure(environment.call(slug, { method: "GET", authenticate: touch, readBody: touch }));
    expect(touched).toBe(0);
  });
});

describe("a webhook's input", () => {
  it("the input is { query, body, meta }, with lists for repeated names", async () => {
    const { slug } = await environment.publish(finish());
    const { body } = await environment.call(slug, {
      ip: "2001:db8::7",
      search: "?a=1&a=2&b=x%20y&c=",
      body: [1, { x: null }],
      headers: { "X-Custom": "v" },
    });
    expect(body.data.result).toEqual({
      query: { a: ["1", "2"], b: "x y", c: "" },
      body: [1, { x: null }],
      meta: { ip: "2001:db8::7", headers: { "x-custom": "v" } },
    });
  });

  it("the body of a GET is null, whatever is sent", async () => {
    const { slug } = await environment.publish(finish(), { method: "GET" });
    const { body } = await environment.call(slug, {
      method: "GET",
      body: "not json",
      ip: freshIp(),
    });
    expect(body.data.result).toMatchObject({ body: null });
  });

  it.each(["", "not json", "1", '"text"', "null", "true", "{", "[1,]", "\ufeff{}x", "a=1&b=2"])(
    "the body %j is rejected: it is neither a JSON object nor an array",
    async (body) => {
      const { slug } = await environment.publish(finish());
      const error = await failure(environment.call(slug, { body, ip: freshIp() }));
      expect(error).toMatchObject({ status: 400, code: "WORKFLOW_WEBHOOK_INVALID_PAYLOAD" });
    },
  );

  it.each(['{"a":"\\u0000"}', '{"a":"\\ud800"}', `${"[".repeat(50_000)}${"]".repeat(50_000)}`])(
    "a body with an unsafe part is rejected (%#)",
    async (body) => {
      const { slug } = await environment.publish(finish());
      const error = await failure(environment.call(slug, { body, ip: freshIp() }));
      expect(error).toMatchObject({ status: 400, code: "BODY_INVALID" });
    },
  );

  it("keys of JavaScript's objects are data like any other, in body and query", async () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    for (const key of ["constructor", "prototype", "__proto__", "toString"]) {
      const path = `start.data.body.${key}.${key}`;
      const result = `{"${key}":"{{vars.all.${key}}}","deep":"{{${path}.0.${key}}}","query":"{{start.data.query}}"}`;
      const { slug } = await environment.publish(
        [
          { id: "keep", kind: "setValues", values: { all: "{{start.data.body}}" } },
          {
            id: "ask",
            kind: "condition",
            expression: `start.data.body["${key}"].x != 1.5 || ${path}[0].${key} != "deep"`,
            else: [{ id: "end", kind: "finish", result: JSON.parse(result) as unknown }],
          },
        ],
        { redactBody: ["/none"] },
      );
      const inner = `{"x":1.50,"${key}":[{"${key}":"deep"}]}`;
      const answer = await environment.call(slug, {
        body: `{"${key}":${inner}}`,
        search: `?${key}=1&${key}=2`,
        ip: freshIp(),
      });
      const found = answer.body.data.result as Readonly<Record<string, unknown>>;
      expect(Object.keys(found).sort()).toEqual([key, "deep", "query"].sort());
      expect(answer.text).toContain(inner);
      expect(found.deep).toBe("deep");
      expect(JSON.stringify(found.query)).toBe(`{"${key}":["1","2"]}`);
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  });

  it("a template reads own keys only: an inherited one has no value", async () => {
    const names = ["constructor", "__proto__", "toString"];
    const result = names.map((name) => `{{start.data.body.${name} ?? "none"}}`).join(" ");
    const { slug } = await environment.publish([{ id: "end", kind: "finish", result }]);
    const { body } = await environment.call(slug, { body: {}, ip: freshIp() });
    expect(body.data.result).toBe("none none none");
  });

  it("a rejected call leaves no run behind", async () => {
    const { slug, id } = await environment.publish(finish());
    await failure(environment.call(slug, { body: "no", ip: freshIp() }));
    for (const search of ["?a=%00", "?a=%ff", "?%ff=a", "?a=%ed%a0%80", "?a=1%"]) {
      const error = await failure(environment.call(slug, { search, ip: freshIp() }));
      expect(error).toMatchObject({ code: "QUERY_INVALID" });
    }
    const runs = await environment.database.query(
      "select 1 from system.workflow_runs where workflow_id = $1::text::uuid",
      [id],
    );
    expect(runs).toEqual([]);
  });

  it("no credential is stored: canaries in headers are found nowhere in the database", async () => {
    const canary = "canary-5f3b7a";
    const { slug } = await environment.publish(finish(), { redactHeaders: ["X-Secret"] });
    const { text } = await environment.call(slug, {
      ip: freshIp(),
      headers: {
        Authorization: `Bearer ${canary}`,
        COOKIE: `s=${canary}`,
        "x-secret": canary,
        "x-open": "shown",
      },
    });
    expect(text).not.toContain(canary);
    expect(text).toContain(
      '"authorization":"[redacted]","cookie":"[redacted]","x-secret":"[redacted]","x-open":"shown"',
    );
    const tables = await environment.database.query<{ name: string }>(
      `select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname in ('system', 'rowhouse_queue', 'public')`,
    );
    for (const { name } of tables) {
      const [hit] = await environment.database.query<{ hits: number }>(
        `select count(*)::integer as hits from ${name} t where t::text like '%${canary}%'`,
      );
      expect([name, hit?.hits]).toEqual([name, 0]);
    }
  });
});

describe("an authenticated webhook", () => {
  async function setUp(executeAs: string | null = null) {
    const flow = await environment.publish(finish(), { access: "AUTHENTICATED", executeAs });
    const [role] = await environment.database.query<{ id: string }>(
      "insert into system.roles (name) values ('Callers ' || gen_random_uuid()) returning id",
    );
    const roleId = role?.id ?? "";
    const caller = { userId: environment.userId, roleIds: [roleId] };
    return { ...flow, roleId, caller };
  }

  it("a webhook checks the credential, then the grant, then the body", async () => {
    const { slug, caller } = await setUp();
    expect(await failure(environment.call(slug, { body: "no" }))).toMatchObject({ status: 401 });
    expect(await failure(environment.call(slug, { body: "no", caller }))).toMatchObject({
      status: 403,
      code: "ACTION_DENIED",
    });
  });

  it("an added or removed grant takes effect on the next call", async () => {
    const { slug, id, roleId, caller } = await setUp();
    await addInvokeGrant(environment.database, id, roleId, actor);
    expect((await environment.call(slug, { caller })).status).toBe(200);
    expect(await listInvokeGrants(environment.database, id)).toMatchObject([{ roleId }]);
    await removeInvokeGrant(environment.database, id, roleId, actor);
    expect(await failure(environment.call(slug, { caller }))).toMatchObject({ status: 403 });
  });

  it("a run executes as the caller unless the workflow names a user", async () => {
    const asCaller = await setUp();
    await addInvokeGrant(environment.database, asCaller.id, asCaller.roleId, actor);
    const { body } = await environment.call(asCaller.slug, { caller: asCaller.caller });
    const [other] = await environment.database.query<{ id: string }>(
      "insert into system.users (email) values ('other@example.org') returning id",
    );
    const asOther = await setUp(other?.id ?? null);
    await addInvokeGrant(environment.database, asOther.id, asOther.roleId, actor);
    const second = await environment.call(asOther.slug, { caller: asOther.caller });
    expect(await readRun(environment.database, asCaller.id, body.data.id)).toMatchObject({
      executeAsUserId: environment.userId,
      callerUserId: environment.userId,
    });
    expect(await readRun(environment.database, asOther.id, second.body.data.id)).toMatchObject({
      executeAsUserId: other?.id,
      callerUserId: environment.userId,
    });
  });

  it("only its caller can read a result, while the grant holds and for 24 hours", async () => {
    const { slug, id, roleId, caller } = await setUp();
    await addInvokeGrant(environment.database, id, roleId, actor);
    const run = (await environment.call(slug, { caller })).body.data.id;
    const read = (who = caller, which = run) => readRunResult(environment.database, which, who);
    expect(JSON.parse(await read())).toMatchObject({
      data: { id: run, status: "SUCCEEDED", error: null },
    });
    const hidden = async (attempt: Promise<string>) =>
      expect(await failure(attempt)).toMatchObject({
        faults: [{ code: "WORKFLOW_RUN_NOT_FOUND", message: "The run does not exist" }],
      });
    await hidden(read({ ...caller, userId: "00000000-0000-4000-8000-000000000009" }));
    await hidden(read(caller, "00000000-0000-4000-8000-000000000009"));
    await hidden(read(caller, "no id"));
    await removeInvokeGrant(environment.database, id, roleId, actor);
    await hidden(read());
    await addInvokeGrant(environment.database, id, roleId, actor);
    await environment.database.query(
      "update system.workflow_runs set finished_at = now() - interval '24 hours 1 second' where id = $1::text::uuid",
      [run],
    );
    await hidden(read());
  });

  it("a run in progress is returned as such", async () => {
    const { slug, id, roleId, caller } = await setUp();
    await addInvokeGrant(environment.database, id, roleId, actor);
    const run = (await environment.call(slug, { caller })).body.data.id;
    const copy = "11111111-1111-4111-8111-111111111111";
    await environment.database.query(
      `insert into system.workflow_runs (id, workflow_id, version_id, input, caller_user_id, execute_as_user_id)
       select '${copy}', workflow_id, version_id, input, caller_user_id, execute_as_user_id
       from system.workflow_runs where id = $1::text::uuid`,
      [run],
    );
    const text = await readRunResult(environment.database, copy, caller);
    expect(JSON.parse(text)).toEqual({
      data: { id: copy, status: "QUEUED", result: null, error: null },
    });
  });
});

describe("a public webhook", () => {
  it("a public webhook reads no credential, and the results of its runs cannot be read", async () => {
    const { slug } = await environment.publish(finish());
    let asked = 0;
    const { body } = await environment.call(slug, {
      ip: freshIp(),
      authenticate: async () => {
        asked += 1;
        throw new Error("asked");
      },
    });
    expect(asked).toBe(0);
    expect(
      await failure(readRunResult(environment.database, body.data.id, environment.caller)),
    ).toMatchObject({
      code: "WORKFLOW_RUN_NOT_FOUND",
    });
  });

  it("a run is pinned to the version that was published at its call", async () => {
    const { slug, id } = await environment.publish([{ id: "end", kind: "finish", result: 1 }]);
    await updateWorkflow(
      environment.database,
      id,
      {
        definition: {
          trigger: { kind: "webhook", executeAs: environment.userId },
          steps: [{ id: "end", kind: "finish", result: 2 }],
        },
      },
      actor,
    );
    expect((await environment.call(slug, { ip: freshIp() })).body.data.result).toBe(1);
  });

  it("a call succeeds although a version is published while its body arrives; the run has the new version", async () => {
    const { slug, id } = await environment.publish([{ id: "end", kind: "finish", result: 1 }]);
    const publishNext = async (access: "PUBLIC" | "AUTHENTICATED") => {
      const trigger = { kind: "webhook", access, executeAs: environment.userId };
      const steps = [{ id: "end", kind: "finish", result: 2 }];
      await updateWorkflow(environment.database, id, { definition: { trigger, steps } }, actor);
      await publishWorkflow({ database: environment.database, vault }, id, actor);
    };
    const whilePublishing = (access: "PUBLIC" | "AUTHENTICATED") =>
      environment.call(slug, {
        ip: freshIp(),
        readBody: async () => {
          await publishNext(access);
          return new TextEncoder().encode("{}");
        },
      });
    expect((await whilePublishing("PUBLIC")).body.data).toMatchObject({
      status: "SUCCEEDED",
      result: 2,
    });
    // The call must meet the requirements of the next version.
    await expect(whilePublishing("AUTHENTICATED")).rejects.toMatchObject({
      code: "AUTHENTICATION_REQUIRED",
    });
  });

  it("a request has a stable idempotency key, and its response is the step's output", async () => {
    const server = createServer((request, response) => {
      response.setHeader("set-cookie", "canary=1");
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ path: request.url, key: request.headers["idempotency-key"] }));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { slug } = await environment.publish([
      {
        id: "call",
        kind: "httpRequest",
        method: "POST",
        url: `http://127.0.0.1:${port}/a/{{start.data.body.id}}`,
        query: { q: "{{start.data.body.q}}" },
        body: { n: 1 },
      },
      { id: "end", kind: "finish", result: "{{steps.call}}" },
    ]);
    const { body, text } = await environment.call(slug, {
      ip: freshIp(),
      body: { id: "x/../y?z#", q: "a b" },
    });
    server.close();
    expect(body.data.result).toMatchObject({
      status: 200,
      body: { path: "/a/x%2F..%2Fy%3Fz%23?q=a+b", key: `${body.data.id}:call` },
    });
    expect(text).not.toContain("canary");
  });

  it("a response can have any bytes: characters that cannot be stored become U+FFFD", async () => {
    const server = createServer((request, response) => {
      const isJson = request.url === "/json";
      response.setHeader("content-type", isJson ? "application/json" : "image/png");
      response.end(
        isJson ? '{"a\\u0000":["x\\u0000y","\\ud800"],"n":1.50}' : Buffer.from("89504e0047", "hex"),
      );
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    const { slug } = await environment.publish([
      { id: "json", kind: "httpRequest", method: "POST", url: `${origin}/json` },
      { id: "image", kind: "httpRequest", url: `${origin}/image` },
      { id: "end", kind: "fail", message: "{{steps.json.body}} {{steps.image.body}}" },
    ]);
    const { body } = await environment.call(slug, { ip: freshIp() });
    server.close();
    expect(body.data.error).toEqual({
      code: "WORKFLOW_FAILED",
      message: '{"a\ufffd":["x\ufffdy","\ufffd"],"n":1.50} \ufffdPN\ufffdG',
      step: "end",
    });
  });

  it("a caller's text is never read as a variable of the filter language", async () => {
    const filters: unknown[] = [];
    const { listRows } = environment.rows;
    environment.rows.listRows = async (input) => {
      filters.push(input.where);
      return [];
    };
    const { slug } = await environment.publish([
      {
        id: "l",
        kind: "listRows",
        table: "trip",
        where: { note: { _eq: "{{start.data.body.a}}" }, by: { _eq: "$USER.id" } },
      },
    ]);
    await environment.call(slug, { ip: freshIp(), body: { a: "$USER.email" } });
    environment.rows.listRows = listRows;
    expect(filters).toEqual([{ note: { _eq: "$$USER.email" }, by: { _eq: "$USER.id" } }]);
  });
});

const backends = ["POSTGRES", ...(hasRedis() ? (["REDIS"] as const) : [])] as const;

describe.each(backends)("the rate limit of public webhooks, counted in %s", (backend) => {
  let redis: RedisServer | undefined;
  let limited: TestEnvironment;
  beforeAll(async () => {
    redis = backend === "REDIS" ? await startRedis() : undefined;
    limited = await openTestEnvironment({ redisUrl: redis?.url });
  });
  afterAll(async () => {
    await limited.close();
    await redis?.stop();
  });

  it("one source may make 60 calls a minute, over two processes", async () => {
    const second = await openWorkflowConnections({
      database: limited.database,
      databaseUrl: limited.url,
      redisUrl: redis?.url,
      vault,
      report: () => {},
    });
    const { slug } = await limited.publish(finish(), { response: "ASYNCHRONOUS" });
    const outcomes = await Promise.all(
      Array.from({ length: 80 }, async (_, index) => {
        // The limiter of either process; a different notation of the same address is the same source.
        if (index % 2 === 0)
          return second.rateLimit.check("::ffff:192.0.2.9").then(
            () => 202,
            (error: AppError) => error,
          );
        return limited.call(slug, { ip: "192.0.2.9" }).then(
          ({ status }) => status,
          (error: AppError) => error,
        );
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 202)).toHaveLength(60);
    const over = outcomes.find((outcome) => outcome instanceof AppError);
    expect(over).toMatchObject({ status: 429, code: "RATE_LIMIT_EXCEEDED" });
    const retryAfter = Number(over instanceof AppError ? over.headers["Retry-After"] : 0);
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect((await limited.call(slug, { ip: "192.0.2.10" })).status).toBe(202);
    await second.close();
  });

  it("authenticated calls are not counted, and calls of missing webhooks get the same response", async () => {
    const flow = await limited.publish(finish(), {
      access: "AUTHENTICATED",
      response: "ASYNCHRONOUS",
    });
    await limited.allow(flow);
    const { slug } = flow;
    const { caller } = limited;
    for (let count = 0; count < 65; count += 1) {
      expect((await limited.call(slug, { ip: "192.0.2.20", caller })).status).toBe(202);
    }
    for (let count = 0; count < 65; count += 1) {
      expect(await failure(limited.call("unknown", { ip: "192.0.2.21" }))).toMatchObject({
        status: 404,
      });
    }
  });
});
