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
import { actor, type House, openHouse, vault } from "./house.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse({ allowedHosts: ["127.0.0.1"] });
});
afterAll(() => house.close());

const end = [{ id: "end", kind: "finish", result: "{{start.data}}" }] as const;
const finish = () => end.map((step) => ({ ...step }));
let lastIp = 0;
/** A source of its own, so that the rate limit counts for one test only. */
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
  it("answers the same 404 whether it is unknown, a draft, disabled, or called by another method", async () => {
    const { slug, id } = await house.publish(finish());
    const disabled = await house.publish(finish());
    await setWorkflowEnabled(house.database, disabled.id, false, actor);
    const draft = await house.publish(finish());
    await house.database.query(
      "update system.workflows set published_version_id = null where id = $1::text::uuid",
      [draft.id],
    );
    const deleted = await house.publish(finish());
    await deleteWorkflow(house.database, deleted.id, actor);
    const answers = await Promise.all([
      failure(house.call("unknown")),
      failure(house.call("NOT A SLUG '\"")),
      failure(house.call(disabled.slug)),
      failure(house.call(draft.slug)),
      failure(house.call(deleted.slug)),
      ...["GET", "HEAD", "PUT", "DELETE", "OPTIONS"].map((method) =>
        failure(house.call(slug, { method })),
      ),
    ]);
    for (const error of answers) {
      expect(error.faults).toEqual([{ code: "WORKFLOW_NOT_FOUND", message: "No such workflow" }]);
      expect(error).toMatchObject({ status: 404, headers: {}, meta: {} });
    }
    expect((await house.call(slug, { ip: freshIp() })).status).toBe(200);
    expect(id).not.toBe(disabled.id);
  });

  it("reads neither credential nor body before it answers 404", async () => {
    const { slug } = await house.publish(finish(), { access: "AUTHENTICATED" });
    let touched = 0;
    const touch = async (): Promise<never> => {
      touched += 1;
      throw new Error("touched");
    };
    await failure(house.call(slug, { method: "GET", authenticate: touch, readBody: touch }));
    expect(touched).toBe(0);
  });
});

describe("a webhook's input", () => {
  it("is { query, body, meta } with lists where a name is repeated", async () => {
    const { slug } = await house.publish(finish());
    const { body } = await house.call(slug, {
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

  it("has a null body for GET, whatever is sent", async () => {
    const { slug } = await house.publish(finish(), { method: "GET" });
    const { body } = await house.call(slug, { method: "GET", body: "not json", ip: freshIp() });
    expect(body.data.result).toMatchObject({ body: null });
  });

  it.each(["", "not json", "1", '"text"', "null", "true", "{", "[1,]", "\ufeff{}x", "a=1&b=2"])(
    "that is %j is no JSON object or array",
    async (body) => {
      const { slug } = await house.publish(finish());
      const error = await failure(house.call(slug, { body, ip: freshIp() }));
      expect(error).toMatchObject({ status: 400, code: "WORKFLOW_WEBHOOK_INVALID_PAYLOAD" });
    },
  );

  it.each([
    '{"__proto__":{"a":1}}',
    '{"a":[{"constructor":1}]}',
    '{"a":"\\u0000"}',
    '{"a":"\\ud800"}',
    `${"[".repeat(50_000)}${"]".repeat(50_000)}`,
  ])("with an unsafe part is refused (%#)", async (body) => {
    const { slug } = await house.publish(finish());
    const error = await failure(house.call(slug, { body, ip: freshIp() }));
    expect(error).toMatchObject({ status: 400, code: "BODY_INVALID" });
  });

  it("leaves no run behind when it is refused", async () => {
    const { slug, id } = await house.publish(finish());
    await failure(house.call(slug, { body: "no", ip: freshIp() }));
    await failure(house.call(slug, { search: "?__proto__=1", ip: freshIp() }));
    const runs = await house.database.query(
      "select 1 from system.workflow_runs where workflow_id = $1::text::uuid",
      [id],
    );
    expect(runs).toEqual([]);
  });

  it("keeps no credential anywhere: canaries in headers are found nowhere in the database", async () => {
    const canary = "canary-5f3b7a";
    const { slug } = await house.publish(finish(), { redactHeaders: ["X-Secret"] });
    const { text } = await house.call(slug, {
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
    const tables = await house.database.query<{ name: string }>(
      `select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname in ('system', 'rowhouse_queue', 'public')`,
    );
    for (const { name } of tables) {
      const [hit] = await house.database.query<{ hits: number }>(
        `select count(*)::integer as hits from ${name} t where t::text like '%${canary}%'`,
      );
      expect([name, hit?.hits]).toEqual([name, 0]);
    }
  });
});

describe("an authenticated webhook", () => {
  async function setUp(executeAs: string | null = null) {
    const flow = await house.publish(finish(), { access: "AUTHENTICATED", executeAs });
    const [role] = await house.database.query<{ id: string }>(
      "insert into system.roles (name) values ('Callers ' || gen_random_uuid()) returning id",
    );
    const roleId = role?.id ?? "";
    const caller = { userId: house.userId, roleIds: [roleId] };
    return { ...flow, roleId, caller };
  }

  it("needs a credential, then a grant, and neither before a good body", async () => {
    const { slug, caller } = await setUp();
    expect(await failure(house.call(slug, { body: "no" }))).toMatchObject({ status: 401 });
    expect(await failure(house.call(slug, { body: "no", caller }))).toMatchObject({
      status: 403,
      code: "ACTION_DENIED",
    });
  });

  it("obeys a grant that was added or removed a moment ago", async () => {
    const { slug, id, roleId, caller } = await setUp();
    await addInvokeGrant(house.database, id, roleId, actor);
    expect((await house.call(slug, { caller })).status).toBe(200);
    expect(await listInvokeGrants(house.database, id)).toMatchObject([{ roleId }]);
    await removeInvokeGrant(house.database, id, roleId, actor);
    expect(await failure(house.call(slug, { caller }))).toMatchObject({ status: 403 });
  });

  it("executes as the caller unless the workflow names a user", async () => {
    const asCaller = await setUp();
    await addInvokeGrant(house.database, asCaller.id, asCaller.roleId, actor);
    const { body } = await house.call(asCaller.slug, { caller: asCaller.caller });
    const [other] = await house.database.query<{ id: string }>(
      "insert into system.users (email) values ('other@example.org') returning id",
    );
    const asOther = await setUp(other?.id ?? null);
    await addInvokeGrant(house.database, asOther.id, asOther.roleId, actor);
    const second = await house.call(asOther.slug, { caller: asOther.caller });
    expect(await readRun(house.database, asCaller.id, body.data.id)).toMatchObject({
      executeAsUserId: house.userId,
      callerUserId: house.userId,
    });
    expect(await readRun(house.database, asOther.id, second.body.data.id)).toMatchObject({
      executeAsUserId: other?.id,
      callerUserId: house.userId,
    });
  });

  it("lets its caller, and nobody else, read the result while the grant holds and for 24 hours", async () => {
    const { slug, id, roleId, caller } = await setUp();
    await addInvokeGrant(house.database, id, roleId, actor);
    const run = (await house.call(slug, { caller })).body.data.id;
    const read = (who = caller, which = run) => readRunResult(house.database, which, who);
    expect(JSON.parse(await read())).toMatchObject({
      data: { id: run, status: "SUCCEEDED", error: null },
    });
    const hidden = async (attempt: Promise<string>) =>
      expect(await failure(attempt)).toMatchObject({
        faults: [{ code: "WORKFLOW_RUN_NOT_FOUND", message: "No such run" }],
      });
    await hidden(read({ ...caller, userId: "00000000-0000-4000-8000-000000000009" }));
    await hidden(read(caller, "00000000-0000-4000-8000-000000000009"));
    await hidden(read(caller, "no id"));
    await removeInvokeGrant(house.database, id, roleId, actor);
    await hidden(read());
    await addInvokeGrant(house.database, id, roleId, actor);
    await house.database.query(
      "update system.workflow_runs set finished_at = now() - interval '24 hours 1 second' where id = $1::text::uuid",
      [run],
    );
    await hidden(read());
  });

  it("shows a run in progress as it is", async () => {
    const { slug, id, roleId, caller } = await setUp();
    await addInvokeGrant(house.database, id, roleId, actor);
    const run = (await house.call(slug, { caller })).body.data.id;
    const copy = "11111111-1111-4111-8111-111111111111";
    await house.database.query(
      `insert into system.workflow_runs (id, workflow_id, version_id, input, caller_user_id, execute_as_user_id)
       select '${copy}', workflow_id, version_id, input, caller_user_id, execute_as_user_id
       from system.workflow_runs where id = $1::text::uuid`,
      [run],
    );
    const text = await readRunResult(house.database, copy, caller);
    expect(JSON.parse(text)).toEqual({
      data: { id: copy, status: "QUEUED", result: null, error: null },
    });
  });
});

describe("a public webhook", () => {
  it("reads no credential, and its runs cannot be read by anyone", async () => {
    const { slug } = await house.publish(finish());
    let asked = 0;
    const { body } = await house.call(slug, {
      ip: freshIp(),
      authenticate: async () => {
        asked += 1;
        throw new Error("asked");
      },
    });
    expect(asked).toBe(0);
    expect(await failure(readRunResult(house.database, body.data.id, house.caller))).toMatchObject({
      code: "WORKFLOW_RUN_NOT_FOUND",
    });
  });

  it("is pinned to the version that was published when it was called", async () => {
    const { slug, id } = await house.publish([{ id: "end", kind: "finish", result: 1 }]);
    await updateWorkflow(
      house.database,
      id,
      {
        definition: {
          trigger: { kind: "webhook", executeAs: house.userId },
          steps: [{ id: "end", kind: "finish", result: 2 }],
        },
      },
      actor,
    );
    expect((await house.call(slug, { ip: freshIp() })).body.data.result).toBe(1);
  });

  it("is called although it is published anew while the body arrives; the run has the new version", async () => {
    const { slug, id } = await house.publish([{ id: "end", kind: "finish", result: 1 }]);
    const publishNext = async (access: "PUBLIC" | "AUTHENTICATED") => {
      const trigger = { kind: "webhook", access, executeAs: house.userId };
      const steps = [{ id: "end", kind: "finish", result: 2 }];
      await updateWorkflow(house.database, id, { definition: { trigger, steps } }, actor);
      await publishWorkflow(house.database, id, actor);
    };
    const whilePublishing = (access: "PUBLIC" | "AUTHENTICATED") =>
      house.call(slug, {
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
    // What the next version asks of its callers, it asks of this one.
    await expect(whilePublishing("AUTHENTICATED")).rejects.toMatchObject({
      code: "AUTHENTICATION_REQUIRED",
    });
  });

  it("sends requests with a stable key and hands their answer on", async () => {
    const server = createServer((request, response) => {
      response.setHeader("set-cookie", "canary=1");
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ path: request.url, key: request.headers["idempotency-key"] }));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { slug } = await house.publish([
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
    const { body, text } = await house.call(slug, {
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

  it("takes any bytes for an answer: what cannot be stored is U+FFFD in the run", async () => {
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
    const { slug } = await house.publish([
      { id: "json", kind: "httpRequest", method: "POST", url: `${origin}/json` },
      { id: "image", kind: "httpRequest", url: `${origin}/image` },
      { id: "end", kind: "fail", message: "{{steps.json.body}} {{steps.image.body}}" },
    ]);
    const { body } = await house.call(slug, { ip: freshIp() });
    server.close();
    expect(body.data.error).toEqual({
      code: "WORKFLOW_FAILED",
      message: '{"a\ufffd":["x\ufffdy","\ufffd"],"n":1.50} \ufffdPN\ufffdG',
      step: "end",
    });
  });

  it("never reads a caller's text as a variable of the filter language", async () => {
    const filters: unknown[] = [];
    const { listRows } = house.rows;
    house.rows.listRows = async (input) => {
      filters.push(input.where);
      return [];
    };
    const { slug } = await house.publish([
      {
        id: "l",
        kind: "listRows",
        table: "trip",
        where: { note: { _eq: "{{start.data.body.a}}" }, by: { _eq: "$USER.id" } },
      },
    ]);
    await house.call(slug, { ip: freshIp(), body: { a: "$USER.email" } });
    house.rows.listRows = listRows;
    expect(filters).toEqual([{ note: { _eq: "$$USER.email" }, by: { _eq: "$USER.id" } }]);
  });
});

const backends = ["POSTGRES", ...(hasRedis() ? (["REDIS"] as const) : [])] as const;

describe.each(backends)("the rate limit of public webhooks, counted in %s", (backend) => {
  let redis: RedisServer | undefined;
  let limited: House;
  beforeAll(async () => {
    redis = backend === "REDIS" ? await startRedis() : undefined;
    limited = await openHouse({ redisUrl: redis?.url });
  });
  afterAll(async () => {
    await limited.close();
    await redis?.stop();
  });

  it("lets 60 calls a minute of one source through, over two processes", async () => {
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
        // The second process' own limiter, or the first's; spelled differently, it is the same source.
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

  it("does not count authenticated calls, and does not tell unknown webhooks apart by it", async () => {
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
