// Tiers: long, topologies. Starts processes.
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { type Database, openDatabase, quoteQualified } from "@rowhouse/db";
import {
  signIn,
  startTestEnvironment,
  type TestEnvironment,
  topologyNames,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, createClient } from "./client.ts";

// The test plants secrets at every input, also in failing requests. Then it reads all stored data: every row of every
// table, every command to Redis, every log line and every span.

const cores = {
  authorization: "cnryAuthorization7Qz",
  cookie: "cnryCookie4Xw",
  header: "cnryHeader9Vk",
  query: "cnryQuery2Mb",
  body: "cnryBody6Tj",
  bearer: "cnryBearer3Hd",
  password: "cnryPassword8Ls",
  parameter: "cnryParameter5Gf",
  inBody: "cnryInBody1Pr",
  path: "cnryPath0Wn",
  signing: "cnrySigning6Ue",
  replaced: "cnryReplaced2Ya",
  setCookie: "cnrySetCookie7Io",
  admin: "cnryAdmin3Zx",
} as const;
type Canary = keyof typeof cores;
/** In its planted form: with characters that every encoding writes differently. */
const canary = (name: Canary) => `${cores[name]}&"/=+\\ä`;

/** The forms in which a canary may be found: itself, or its remains in an encoding. */
const needles = Object.values(cores).flatMap((core) => [
  core.toLowerCase(),
  Buffer.from(core).toString("hex"),
  ...[0, 1, 2].map((before) =>
    Buffer.from("x".repeat(before) + core)
      .toString("base64")
      .slice(before === 0 ? 0 : before + 1, Math.floor(((before + core.length) * 8) / 6))
      .toLowerCase(),
  ),
]);
const found = (text: string): string[] => {
  const all = text.toLowerCase();
  return needles.filter((needle) => all.includes(needle));
};

describe.each(topologyNames("one", "four"))("%s", (kind) => {
  let testEnvironment: TestEnvironment;
  let database: Database;
  let other: Server;
  let monitor: Socket | undefined;
  let saidToRedis = "";
  let admin = "";
  let me = "";
  /** The requests that the remote service received. */
  let received: string[] = [];
  /** All data that is stored during a request. */
  let meanwhile = "";
  /** In the form that a collector receives. */
  let traces = "";

  const administer = async (method: string, path: string, data?: unknown): Promise<Answer> => {
    const answer = await createClient(testEnvironment).ask(method, `/admin/api${path}`, {
      as: admin,
      ...(data === undefined ? {} : { body: { data } }),
    });
    return answer;
  };
  const made = async (path: string, data: unknown): Promise<Answer> => {
    const answer = await administer("POST", path, data);
    expect([path, answer.status, answer.body?.errors]).toEqual([path, 201, undefined]);
    return answer;
  };
  const base = () => {
    const address = other.address();
    return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  };

  /** Every row of every table as text; bytes also in decoded form. */
  const dump = async (): Promise<string> => {
    const tables = await database.query<{ schema: string; name: string }>(
      `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`,
    );
    const texts = await Promise.all(
      tables.map(async ({ schema, name }) => {
        const rows = await database.query<{ row: string }>(
          `select t::text as row from ${quoteQualified(schema, name)} t`,
        );
        return `${schema}.${name}: ${rows.map(({ row }) => row).join("\n")}`;
      }),
    );
    const [said] = await database.query<{ queries: string }>(
      "select string_agg(query, ' ') as queries from pg_stat_activity",
    );
    return `${texts.join("\n")}\n${said?.queries}`;
  };

  beforeAll(async () => {
    // It returns its input in every possible way.
    other = createServer(async (request, response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk as Uint8Array);
      const body = Buffer.concat(chunks).toString();
      const { url = "", headers } = request;
      if (url === "/v1/traces") {
        traces += body;
        return response.end("{}");
      }
      received.push(decodeURIComponent(JSON.stringify([url, headers, body])));
      meanwhile += await dump();
      if (url.startsWith("/cut")) return response.destroy();
      response.setHeader("set-cookie", `id=${cores.setCookie}`);
      response.setHeader("x-echo", String(headers.authorization ?? ""));
      if (url.startsWith("/away")) {
        response.writeHead(302, { location: `http://10.0.0.1${url}` });
        return response.end(body);
      }
      response.setHeader(
        "content-type",
        url.startsWith("/text") ? "text/html" : "application/json",
      );
      response.statusCode = url.startsWith("/fail") ? 500 : 200;
      const text = { url, headers, body, [body]: [decodeURIComponent(url)] };
      response.end(url.startsWith("/text") ? `<p>${url} ${body}` : JSON.stringify(text));
    }).listen(0, "127.0.0.1");
    await once(other, "listening");
    testEnvironment = await startTestEnvironment({
      kind,
      ownProcess: true,
      environment: {
        LOG_LEVEL: "debug",
        OTEL_EXPORTER_OTLP_ENDPOINT: base(),
        OTEL_BSP_SCHEDULE_DELAY: "50",
      },
    });
    database = openDatabase({ url: testEnvironment.test.ownerUrl, applicationName: "reader" });
    if (testEnvironment.redisUrl !== undefined) {
      monitor = connect(Number(new URL(testEnvironment.redisUrl).port), "127.0.0.1");
      monitor.setEncoding("latin1").on("data", (text: string) => {
        saidToRedis += text;
      });
      monitor.write("MONITOR\r\n");
    }
    admin = await createClient(testEnvironment).signIn(signIn);
    me = (await createClient(testEnvironment).ask("GET", "/api/auth/me", { as: admin })).body.data
      .id;
    const settings = { "workflows.allowed_hosts": ["127.0.0.1"] };
    expect((await administer("PATCH", "/settings", settings)).status).toBe(200);
  });
  afterAll(async () => {
    monitor?.destroy();
    other.closeAllConnections();
    other.close();
    await database.close();
    await testEnvironment.stop();
  });

  test("a planted secret reaches its recipient", async () => {
    const secrets: Canary[] = ["bearer", "password", "parameter", "inBody", "path", "signing"];
    for (const name of secrets) {
      const named = name.replace(/[A-Z]/g, "_$&").toUpperCase();
      await made("/workflow-secrets", { name: named, value: canary(name) });
    }
    await made("/workflow-secrets", { name: "REPLACED", value: "not yet a canary" });
    const replaced = await administer("PATCH", "/workflow-secrets/REPLACED", {
      value: canary("replaced"),
    });
    expect(replaced.status).toBe(200);

    const call = (id: string, path: string, more: object = {}) => ({
      id,
      kind: "httpRequest",
      method: "POST",
      url: `${base()}${path}/{{secrets.PATH}}`,
      headers: {
        "x-replaced": "{{secrets.REPLACED}}",
        "x-given": "{{start.data.meta.headers.x-key}}",
      },
      query: { key: "{{secrets.PARAMETER}}", q: "{{start.data.query.q}}" },
      auth: { kind: "bearer", token: "{{secrets.BEARER}}" },
      body: { key: "{{secrets.IN_BODY}}", sent: "{{start.data.body}}" },
      redirectsMax: 1,
      onError: "continue",
      ...more,
    });
    const basic = { kind: "basic", user: "user", password: "{{secrets.PASSWORD}}" };
    const retry = { attempts: 2, delayMs: 100 };
    const form = { bodyKind: "form", body: { key: "{{secrets.IN_BODY}}" } };
    const workflow = await made("/workflows", {
      slug: "canaries",
      name: "Canaries",
      definition: {
        trigger: {
          kind: "webhook",
          executeAs: me,
          redactHeaders: ["X-Key"],
          redactQuery: ["q"],
          redactBody: ["/card/number", "/items/*/token"],
          signature: { kind: "HMAC", header: "X-Signature", secrets: ["SIGNING"] },
        },
        steps: [
          call("json", "/json"),
          call("text", "/text", { auth: basic, ...form }),
          call("away", "/away"),
          call("stay", "/away", { redirectsMax: 0 }),
          call("fail", "/fail", { retry }),
          call("kept", "/fail", { failOnStatus: false }),
          call("cut", "/cut", { retry, repeatable: true }),
          call("nowhere", "/", { url: "http://10.0.0.1/{{secrets.PATH}}" }),
          call("bad", "/", { url: "{{secrets.PATH}}" }),
          { id: "wait", kind: "delay", seconds: 0.2 },
          {
            id: "vars",
            kind: "setValues",
            values: { all: ["{{steps.json}}", "{{errors.cut}}", "{{start.data}}"] },
          },
          {
            id: "end",
            kind: "finish",
            result: {
              mark: "{{start.data.body.mark}}",
              start: "{{start.data}}",
              json: "{{steps.json}}",
            },
          },
        ],
      },
    });
    const { id } = workflow.body.data;
    for (const verb of ["publish", "enable"]) {
      const answer = await administer("POST", `/workflows/${id}/${verb}`);
      expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
    }

    const body = JSON.stringify({
      mark: "a mark that stays",
      card: { number: canary("body") },
      items: [{ token: [canary("body")] }, { other: 1 }],
    });
    const signature = createHmac("sha256", canary("signing")).update(body).digest("hex");
    const planted = {
      Authorization: `Bearer ${cores.authorization}`,
      "Proxy-Authorization": cores.authorization,
      Cookie: `session=${cores.cookie}`,
      "X-Key": cores.header,
      "Idempotency-Key": "once",
      "Content-Type": "application/json",
    };
    const send = (path: string, sent: string, more: Record<string, string> = {}) =>
      fetch(`${testEnvironment.url}${path}?q=${encodeURIComponent(canary("query"))}&p=1`, {
        method: "POST",
        headers: { ...planted, "X-Signature": signature, ...more },
        body: sent,
      });
    const hook = "/api/workflows/canaries/webhook";
    const answer = await send(hook, body);
    const text = await answer.text();
    expect([answer.status, found(text)]).toEqual([200, []]);
    expect(text).toContain("a mark that stays");
    const { status, error } = JSON.parse(text).data;
    expect([status, error]).toEqual(["SUCCEEDED", null]);
    expect(received).toHaveLength(9);
    const [first = "", second = ""] = received;
    for (const name of ["bearer", "parameter", "inBody", "path", "replaced"] as const) {
      expect(first).toContain(cores[name]);
    }
    expect(second).toContain(Buffer.from(`user:${canary("password")}`).toString("base64"));
    for (const name of ["authorization", "cookie", "header", "query", "body"] as const) {
      expect(received.join()).not.toContain(cores[name]);
    }

    // The rejected requests.
    expect((await send(hook, body, { "X-Signature": cores.header })).status).toBe(401);
    expect((await send(hook, `{"x":"${cores.body}"`, {})).status).toBe(401);
    expect((await send(hook, body.replace("a mark", "other"))).status).toBe(401);
    const broken = `{"x":"${cores.body}`;
    const resigned = createHmac("sha256", canary("signing")).update(broken).digest("hex");
    expect((await send(hook, broken, { "X-Signature": resigned })).status).toBe(400);
    expect((await send("/api/workflows/none/webhook", body)).status).toBe(404);
    const refused = [
      await administer("POST", "/workflow-secrets", { name: "X", value: `${cores.admin}\n` }),
      await administer("POST", "/workflow-secrets", { name: "PATH", value: canary("admin") }),
      await administer("POST", "/workflow-secrets", { name: "x", value: canary("admin") }),
      await administer("PATCH", "/workflow-secrets/NONE", { value: canary("admin") }),
    ];
    expect(refused.map((one) => one.status)).toEqual([400, 409, 400, 404]);
    expect(found(JSON.stringify(refused.map((one) => one.body)))).toEqual([]);
    const again = await send(hook, body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const run = JSON.parse(text).data.id;
    expect((await administer("POST", `/workflows/${id}/runs/${run}/again`)).status).toBeLessThan(
      300,
    );
    const input = {
      query: { q: canary("query") },
      body: JSON.parse(body),
      meta: { headers: planted },
    };
    expect((await administer("POST", `/workflows/${id}/test`, input)).status).toBeLessThan(300);
    await expect
      .poll(async () => {
        const { data } = (await administer("GET", `/workflows/${id}/runs`)).body;
        return data.map((one: { status: string }) => one.status);
      })
      .toEqual(["SUCCEEDED", "SUCCEEDED", "SUCCEEDED"]);
    const shown = JSON.stringify([
      (await administer("GET", `/workflows/${id}/runs/${run}`)).body,
      (await administer("GET", "/workflow-secrets")).body,
      (await administer("GET", "/audit-log?limit=100")).body,
    ]);
    expect(shown).toContain("a mark that stays");
    expect(found(shown)).toEqual([]);
    received = [];
  });

  test("the search finds text that is stored", async () => {
    const plant = {
      text: canary("admin"),
      bytes: Buffer.from(`xy${cores.admin}`).toString("base64"),
    };
    expect(found(JSON.stringify({ a: plant.text })).length).toBeGreaterThan(0);
    expect(found(plant.bytes).length).toBeGreaterThan(0);
    expect(found(`\\x${Buffer.from(cores.admin).toString("hex")}`).length).toBeGreaterThan(0);
  });

  test("the database contains no canary, neither during the requests nor after them", async () => {
    const kept = await dump();
    expect(kept).toContain("a mark that stays");
    expect(meanwhile).toContain("a mark that stays");
    expect(found(kept)).toEqual([]);
    expect(found(meanwhile)).toEqual([]);
  });

  test("the queue received no canary", () => {
    if (testEnvironment.redisUrl === undefined) {
      // The queue's tables are among those of the database.
      expect(meanwhile).toMatch(/^rowhouse_queue\./m);
      return;
    }
    expect(saidToRedis).toMatch(/evalsha/i);
    expect(found(saidToRedis)).toEqual([]);
  });

  test("no trace contains a canary", async () => {
    await expect.poll(() => traces).toMatch(/rowhouse.step.path/);
    expect(found(traces)).toEqual([]);
  });

  test("no log contains a canary", () => {
    expect(testEnvironment.output()).toMatch(/ready|listening/);
    expect(found(testEnvironment.output())).toEqual([]);
  });
});
