import { createRoute, z } from "@hono/zod-openapi";
import { createError } from "@rowhouse/errors";
import { createLogger } from "@rowhouse/service";
import { exactNumberText } from "@rowhouse/wire";
import { describe, expect, test } from "vitest";
import {
  assertionHeader,
  createApiRouter,
  createAssertionSigner,
  createAssertionVerifier,
  createService,
  envelope,
  errorAnswers,
  exactBody,
  jsonText,
  jsonValue,
  noContent,
  openApiDocument,
} from "../src/index.ts";

const logger = createLogger("test", "silent");
const edge = { requestId: "request-1", clientAddress: "192.0.2.7" };

function createSample() {
  const service = createService({ logger });
  service.get("/api/hello", (c) =>
    jsonValue(200, envelope("hello", { count: 1 }), c.env.edge.requestId),
  );
  service.get("/api/raw/:id", (c) => jsonText(200, `["${c.req.path}"]`, c.env.edge.requestId));
  service.delete("/api/hello", (c) => noContent(c.env.edge.requestId));
  service.get("/api/known-error", () => {
    throw createError("CONFLICT", { headers: { "Retry-After": "9" } });
  });
  service.get("/api/unknown-error", () => {
    throw new Error("password=hunter2");
  });
  const router = createApiRouter({ bodyBytesMax: () => 1000 });
  router.openapi(
    createRoute({
      method: "post",
      path: "/things/{id}",
      request: {
        params: z.object({ id: z.uuid() }),
        query: z.object({ limit: z.coerce.number().max(10).optional() }),
        body: {
          required: true,
          content: {
            "application/json": {
              schema: z.strictObject({
                data: z.strictObject({ name: z.string(), tags: z.array(z.string()).optional() }),
              }),
            },
          },
        },
      },
      responses: {
        200: {
          description: "The thing",
          content: { "application/json": { schema: z.object({ data: z.string() }) } },
        },
        ...errorAnswers("BODY_INVALID", "QUERY_INVALID", "NOT_FOUND"),
      },
    }),
    (c) => c.json({ data: c.req.valid("json").data.name }, 200),
  );
  service.route("/admin/api", router);
  return service;
}

const service = createSample();
const call = (path: string, init?: RequestInit) =>
  service.fetch(new Request(`http://localhost${path}`, init), { edge });

describe("every answer", () => {
  const id = "7f1d8a52-0c5e-4f1c-9d5e-4a3c5b1f2e10";
  const post = (body: string, path = `/admin/api/things/${id}`) => ({
    path,
    init: { method: "POST", body, headers: { "Content-Type": "application/json" } },
  });
  test.each<[string, { path: string; init?: RequestInit }, number]>([
    ["a value", { path: "/api/hello" }, 200],
    ["nothing", { path: "/api/hello", init: { method: "DELETE" } }, 204],
    ["a known error", { path: "/api/known-error" }, 409],
    ["an unknown error", { path: "/api/unknown-error" }, 500],
    ["an unknown path", { path: "/api/nope" }, 404],
    ["another method", { path: "/api/hello", init: { method: "PATCH" } }, 405],
    ["a declared route", post('{"data":{"name":"x"}}'), 200],
    ["a fault of a declared route", post('{"data":{}}'), 400],
  ])(
    "the response to %s has a request id and the protective headers",
    async (_name, { path, init }, status) => {
      const answer = await call(path, init);
      expect(answer.status).toBe(status);
      expect(answer.headers.get("x-request-id")).toBe("request-1");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
      expect(answer.headers.get("content-security-policy")).toBe(
        "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      );
    },
  );
});

test("a response is the envelope with its meta", async () => {
  expect(await (await call("/api/hello")).json()).toEqual({ data: "hello", meta: { count: 1 } });
});

test("an unexpected error reveals none of its details", async () => {
  const body = await (await call("/api/unknown-error")).text();
  expect(JSON.parse(body)).toEqual({
    errors: [{ code: "INTERNAL_ERROR", message: "Internal server error" }],
    meta: { requestId: "request-1" },
  });
});

test("the headers of an error reach the caller", async () => {
  expect((await call("/api/known-error")).headers.get("retry-after")).toBe("9");
});

test("another method on a known path is 405 with the allowed methods", async () => {
  const answer = await call("/api/hello", { method: "PATCH" });
  expect(answer.headers.get("allow")).toBe("GET, HEAD, DELETE");
  expect((await call("/admin/api/things/x", { method: "GET" })).headers.get("allow")).toBe("POST");
});

test.each(["/api/%68ello", "/%61pi/hello", "/api/hello%3Fx", "/api/hello%2F"])(
  "routes match the undecoded path: %s is unknown",
  async (path) => {
    expect((await call(path)).status).toBe(404);
  },
);

test("a route with an optional body accepts a request whose body is an empty stream", async () => {
  const router = createApiRouter({ bodyBytesMax: () => 1000 });
  const schema = z.strictObject({ from: z.string().optional() });
  const body = { required: false, content: { "application/json": { schema } } };
  const responses = { 200: { description: "Received" } };
  router.openapi(createRoute({ method: "post", path: "/", request: { body }, responses }), (c) =>
    c.json(c.req.valid("json"), 200),
  );
  const ask = async (text: string, headers: Record<string, string> = {}) => {
    const init = { method: "POST", headers, body: new Blob([text]).stream(), duplex: "half" };
    const request = new Request("http://localhost/", init as RequestInit);
    const answer = await router.fetch(request, { edge });
    return [answer.status, answer.ok ? await answer.json() : null];
  };
  const json = { "Content-Type": "application/json" };
  expect(await ask("")).toEqual([200, {}]);
  expect(await ask("", json)).toEqual([200, {}]);
  expect(await ask('{"from": "a"}', json)).toEqual([200, { from: "a" }]);
});

test("a body is parsed once, with doubles unless its schema is exact", async () => {
  const received: unknown[] = [];
  const router = createApiRouter({ bodyBytesMax: () => 1000 });
  const numbers = z.strictObject({ data: z.unknown() });
  const schemas = { "/rounded": numbers.clone(), "/exact": exactBody(numbers.clone()) };
  for (const [path, schema] of Object.entries(schemas)) {
    const body = { required: true, content: { "application/json": { schema } } };
    const responses = { 204: { description: "Received" } };
    router.openapi(createRoute({ method: "post", path, request: { body }, responses }), (c) => {
      received.push(c.req.valid("json").data);
      return c.body(null, 204);
    });
  }
  const parse = JSON.parse;
  JSON.parse = () => {
    throw new Error("the body is parsed a second time");
  };
  try {
    for (const path of Object.keys(schemas)) {
      const headers = { "Content-Type": "application/json" };
      const init = { method: "POST", headers, body: '{"data":[1.50,{"a":9007199254740993},2]}' };
      const answer = await router.fetch(new Request(`http://localhost${path}`, init), { edge });
      expect(answer.status).toBe(204);
    }
  } finally {
    JSON.parse = parse;
  }
  const [rounded, exact] = received as [unknown, [unknown, { a: unknown }, unknown]];
  expect(rounded).toEqual([1.5, { a: 9007199254740992 }, 2]);
  expect([exactNumberText(exact[0]), exactNumberText(exact[1].a), exact[2]]).toEqual([
    "1.50",
    "9007199254740993",
    2,
  ]);
});

test("a handler receives the path as sent", async () => {
  expect(await (await call("/api/raw/a%2Cb,%20c?x=1")).json()).toEqual(["/api/raw/a%2Cb,%20c"]);
});

describe("a declared route", () => {
  const id = "7f1d8a52-0c5e-4f1c-9d5e-4a3c5b1f2e10";
  const send = (body: string, query = "", thing = id) =>
    call(`/admin/api/things/${thing}${query}`, {
      method: "POST",
      body,
      headers: { "Content-Type": "application/json" },
    });
  const faults = async (answer: Response) =>
    ((await answer.json()) as { errors: { code: string; path?: string }[] }).errors.map(
      (fault) => `${fault.code} ${fault.path ?? ""}`,
    );

  test("a declared route accepts valid input", async () => {
    expect(await (await send('{"data":{"name":"x"}}', "?limit=3")).json()).toEqual({ data: "x" });
  });
  test("a declared route reports several faults with their pointers", async () => {
    const answer = await send('{"data":{"name":1,"tags":["a",2],"x/y":1},"more":1}');
    expect(answer.status).toBe(400);
    expect((await faults(answer)).sort()).toEqual([
      "BODY_INVALID /data/name",
      "BODY_INVALID /data/tags/1",
      "BODY_INVALID /data/x~1y",
      "BODY_INVALID /more",
    ]);
  });
  test.each([
    "?nope=1",
    "?limit=1&limit=2",
    "?__proto__=1",
    "?constructor=1",
    "?limit=%ff",
    "?limit=1%",
    "?%ff=1",
  ])("a declared route rejects the query %s and names the parameter", async (query) => {
    const answer = await send('{"data":{"name":"x"}}', query);
    expect(answer.status).toBe(400);
    expect(await faults(answer)).toEqual([`QUERY_INVALID ${query.slice(1).split("=")[0]}`]);
  });
  test("a declared route names missing fields and the values that a field accepts", async () => {
    const messages = async (answer: Response) =>
      ((await answer.json()) as { errors: { message: string }[] }).errors.map(
        ({ message }) => message,
      );
    expect(await messages(await send("{}"))).toEqual(["data is required"]);
    expect(await messages(await send('{"data":{}}'))).toEqual(["name is required"]);
    expect(await messages(await send('{"data":{"name":1,"tags":{}}}'))).toEqual([
      "Must be a text",
      "Must be a list",
    ]);
    expect(await messages(await send('{"data":{"name":"x"}}', "?limit=99"))).toEqual([
      "Must be at most 10",
    ]);
  });
  test("a declared route rejects an invalid parameter", async () => {
    expect(await faults(await send('{"data":{"name":"x"}}', "?limit=99"))).toEqual([
      "QUERY_INVALID limit",
    ]);
  });
  test("a declared route returns 404 for a malformed id", async () => {
    expect((await send('{"data":{"name":"x"}}', "", "12")).status).toBe(404);
  });
  test("a declared route returns 415 for another media type and 413 for a body over the limit", async () => {
    const answer = await call(`/admin/api/things/${id}`, { method: "POST", body: "a=1" });
    expect(answer.status).toBe(415);
    expect((await send(JSON.stringify({ data: { name: "x".repeat(1000) } }))).status).toBe(413);
  });
  test("a declared route rejects duplicate and prototype keys before its schema sees them", async () => {
    expect(await faults(await send('{"data":{"name":"x","name":"y"}}'))).toEqual([
      "BODY_INVALID /data/name",
    ]);
    expect(await faults(await send('{"data":{"name":"x","__proto__":{}}}'))).toEqual([
      "BODY_INVALID /data/__proto__",
    ]);
  });
  test("the document contains a declared route with error responses from the code table", () => {
    const document = openApiDocument(service, {
      title: "T",
      description: "D",
      exports: false,
      prefix: "/admin/api",
      credentials: { session: { format: "rhs_…", description: "S" } },
    });
    const operation = document.paths["/admin/api/things/{id}"]?.post as {
      operationId: string;
      responses: Record<string, object>;
    };
    expect(document.openapi).toBe("3.1.0");
    expect(operation.operationId).toBe("postThing");
    expect(Object.keys(operation.responses)).toEqual([
      "200",
      "400",
      "404",
      "413",
      "415",
      "500",
      "503",
      "504",
    ]);
    const reference = { $ref: "#/components/responses/BODY_INVALID.QUERY_INVALID" };
    expect(operation.responses["400"]).toEqual(reference);
    expect(document.components.responses?.["BODY_INVALID.QUERY_INVALID"]).toMatchObject({
      description: expect.stringContaining("QUERY_INVALID"),
    });
  });
});

describe("a service in its own process", () => {
  const secret = "a secret of the test's own, long enough";
  const separate = createService({
    logger,
    readiness: async () => ({ database: true }),
    verifyAssertion: createAssertionVerifier({ secrets: [secret], audience: "data-api" }),
  });
  separate.get("/api/hello", (c) => jsonValue(200, c.env.edge.clientAddress, c.env.edge.requestId));
  const get = (headers: Record<string, string>, path = "/api/hello") =>
    separate.fetch(new Request(`http://localhost${path}`, { headers }), {} as never);

  test("a service takes request id and client address from the gateway's assertion", async () => {
    const assertion = await createAssertionSigner(secret)(edge, "data-api");
    const answer = await get({ [assertionHeader]: assertion, "x-request-id": "r2" });
    expect(await answer.json()).toBe("192.0.2.7");
    expect(answer.headers.get("x-request-id")).toBe("r2");
  });
  test("a service rejects a request without an assertion with 401", async () => {
    const answer = await get({ "x-request-id": "r3", "x-forwarded-for": "10.0.0.1" });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("x-request-id")).toBe("r3");
  });
  test("a service rejects an assertion for another audience, with another secret, or unsigned", async () => {
    const other = await createAssertionSigner(secret)(edge, "admin-api");
    const forged = await createAssertionSigner("another secret, just as long as it")(
      edge,
      "data-api",
    );
    const [, payload] = (await createAssertionSigner(secret)(edge, "data-api")).split(".");
    const none = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
    for (const assertion of [other, forged, none, "x", ""]) {
      expect((await get({ [assertionHeader]: assertion })).status).toBe(401);
    }
  });
  test("a service responds to health requests without an assertion", async () => {
    expect((await get({}, "/livez")).status).toBe(200);
    expect(await (await get({}, "/readyz")).json()).toEqual({
      data: { status: "ready", checks: { database: true } },
    });
  });
  test("a service is not ready while a dependency is unavailable", async () => {
    const away = createService({ logger, readiness: async () => ({ database: false }) });
    const answer = await away.fetch(new Request("http://localhost/readyz"), {} as never);
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("1");
  });
  test("concurrent readiness requests share one check, and a later request starts another", async () => {
    let asked = 0;
    const many = createService({
      logger,
      readiness: async () => {
        asked += 1;
        await new Promise((soon) => setTimeout(soon, 20));
        return { database: asked === 1 };
      },
    });
    const ask = () => many.fetch(new Request("http://localhost/readyz"), {} as never);
    const answers = await Promise.all(Array.from({ length: 100 }, ask));
    expect([asked, ...new Set(answers.map(({ status }) => status))]).toEqual([1, 200]);
    expect([(await ask()).status, asked]).toEqual([503, 2]);
  });
  test("a service logs each change of readiness once", async () => {
    const lines: string[] = [];
    const checks = { database: true, queue: true };
    const watched = createService({
      logger: createLogger("test", "info", { write: (line) => lines.push(line) }),
      readiness: async () => ({ ...checks }),
    });
    const ask = async (database: boolean, queue: boolean) => {
      Object.assign(checks, { database, queue });
      await watched.fetch(new Request("http://localhost/readyz"), {} as never);
      return lines.splice(0).map((line) => JSON.parse(line) as { msg: string; checks: object });
    };
    expect(await ask(true, true)).toEqual([]);
    expect(await ask(false, true)).toMatchObject([
      { msg: "Not ready", checks: { database: false } },
    ]);
    expect(await ask(false, true)).toEqual([]);
    expect(await ask(true, false)).toMatchObject([{ msg: "Not ready", checks: { queue: false } }]);
    expect(await ask(true, true)).toMatchObject([{ msg: "Ready again" }]);
    expect(await ask(true, true)).toEqual([]);
  });
  test("a service without a verifier rejects all requests from other processes", async () => {
    const inner = createService({ logger });
    inner.get("/api/hello", () => new Response("x"));
    const answer = await inner.fetch(new Request("http://localhost/api/hello"), {} as never);
    expect(answer.status).toBe(401);
  });
});

describe("a shortcut", () => {
  const asked: string[] = [];
  const service = createService({
    logger,
    locate: async ({ template, params }) => {
      asked.push(`${template} ${params.id}`);
      if (params.id === "missing") throw createError("NOT_FOUND");
    },
    shortcut: ({ req, env }) => {
      const path = new URL(req.raw.url).pathname;
      if (!path.startsWith("/api/things/")) return undefined;
      return path.endsWith("/good")
        ? Promise.resolve(jsonText(200, '"at once"', env.edge.requestId))
        : Promise.reject(createError("VALUE_INVALID", { path: "/data" }));
    },
  });
  service.get("/api/things/:id", (c) => {
    throw c.env.failure?.error ?? new Error("The shortcut did not fail");
  });
  service.get("/api/others/:id", () => new Response("by the router"));
  const get = (path: string) =>
    service.fetch(new Request(`http://localhost${path}`), { edge } as never);

  test("answers a request without the router", async () => {
    expect(await (await get("/api/things/good")).text()).toBe('"at once"');
  });
  test("leaves other requests to the router", async () => {
    expect(await (await get("/api/others/1")).text()).toBe("by the router");
  });
  test("reports its error as the route does, which locates the path first", async () => {
    expect(await (await get("/api/things/present")).json()).toMatchObject({
      errors: [{ code: "VALUE_INVALID", path: "/data" }],
    });
    expect((await get("/api/things/missing")).status).toBe(404);
    expect(asked).toEqual(["/api/things/:id present", "/api/things/:id missing"]);
  });
});

describe("the log of errors", () => {
  /** Sends a request that fails, whose caller may have left; returns the logged messages. */
  async function logged(code: "SERVICE_UNAVAILABLE" | "INTERNAL_ERROR", hasLeft: boolean) {
    const lines: string[] = [];
    const service = createService({
      logger: createLogger("test", "info", { write: (line) => void lines.push(line) }),
    });
    const caller = new AbortController();
    service.get("/api/fails", () => {
      if (hasLeft) caller.abort();
      throw createError(code);
    });
    const request = new Request("http://localhost/api/fails", { signal: caller.signal });
    await service.fetch(request, { edge });
    return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  }

  test("has each request that failed", async () => {
    expect(await logged("SERVICE_UNAVAILABLE", false)).toEqual(["A request failed"]);
    expect(await logged("INTERNAL_ERROR", true)).toEqual(["A request failed"]);
  });

  test("has no request that was ended because its caller left", async () => {
    expect(await logged("SERVICE_UNAVAILABLE", true)).toEqual([]);
  });
});
