import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RunFault } from "../src/base/run-fault.ts";
import { compileDefinition, parseDefinition } from "../src/index.ts";
import { secretsOfWorkflows } from "../src/secrets/manage-secrets.ts";
import { actor, openTestEnvironment, type TestEnvironment, vault } from "./test-environment.ts";

interface Call {
  readonly method: string | undefined;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

let environment: TestEnvironment;
let server: Server;
let other: Server;
let seen: Call[] = [];
let answer: (call: Call, response: ServerResponse) => void;
const baseOf = (one: Server) => {
  const address = one.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
};

async function listen(): Promise<Server> {
  const one = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    const { method, url = "", headers } = request;
    const call = { method, url, headers, body: Buffer.concat(chunks).toString() };
    seen.push(call);
    answer(call, response);
  }).listen(0, "127.0.0.1");
  await once(one, "listening");
  return one;
}

const value = "k3y of/the+CRM&more=1";
beforeAll(async () => {
  environment = await openTestEnvironment({ allowedHosts: ["127.0.0.1"] });
  server = await listen();
  other = await listen();
  for (const name of ["CRM_KEY", "USER_PASSWORD"]) {
    await secretsOfWorkflows.create(
      { ...environment, vault },
      { name, value: name === "CRM_KEY" ? value : "p4ss:w0rd-long" },
      actor,
    );
  }
});
beforeEach(() => {
  seen = [];
  answer = (_call, response) => response.end("ok");
});
afterAll(async () => {
  await environment.close();
  for (const one of [server, other]) {
    one.closeAllConnections();
    one.close();
  }
});

const request = (more: object) => [
  {
    id: "call",
    kind: "httpRequest" as const,
    method: "POST" as const,
    url: `${baseOf(server)}/a`,
    ...more,
  },
  { id: "end", kind: "finish" as const, result: "{{steps.call}}" },
];
const run = async (more: object) => {
  const { slug } = await environment.publish(request(more));
  return (await environment.call(slug, { ip: freshIp() })).body.data;
};
let ips = 0;
const freshIp = () => {
  ips += 1;
  return `198.51.100.${ips}`;
};
const dump = async () => {
  const [row] = await environment.database.query<{ all: string }>(
    `select (select json_agg(r)::text from system.workflow_runs r) || (select json_agg(s)::text from system.workflow_run_steps s) as all`,
  );
  return row?.all ?? "";
};

describe("a secret in a request", () => {
  it("a secret reaches the server in url, header, query and body, and is stored nowhere else", async () => {
    const end = await run({
      url: `${baseOf(server)}/a/{{secrets.CRM_KEY}}?b={{secrets.CRM_KEY}}`,
      headers: { "x-key": "Key {{secrets.CRM_KEY}}" },
      query: { c: "{{secrets.CRM_KEY}}", d: ["{{secrets.CRM_KEY}}", 1] },
      body: { deep: [{ key: "{{secrets.CRM_KEY}}", n: 1.5 }] },
    });
    expect(end.status).toBe("SUCCEEDED");
    const [call] = seen;
    const url = new URL(call?.url ?? "", "http://x");
    expect(decodeURIComponent(url.pathname)).toBe(`/a/${value}`);
    expect(url.searchParams.get("b")).toBe(value);
    expect(url.searchParams.get("c")).toBe(value);
    expect(url.searchParams.getAll("d")).toEqual([value, "1"]);
    expect(call?.headers["x-key"]).toBe(`Key ${value}`);
    expect(JSON.parse(call?.body ?? "")).toEqual({ deep: [{ key: value, n: 1.5 }] });
    expect(await dump()).not.toMatch(/k3y/i);
  });

  it("a secret can be the whole URL", async () => {
    await secretsOfWorkflows.create(
      { ...environment, vault },
      { name: "HOOK_URL", value: `${baseOf(server)}/T/B/x?y=z` },
      actor,
    );
    expect((await run({ url: "{{secrets.HOOK_URL}}" })).status).toBe("SUCCEEDED");
    expect(seen[0]?.url).toBe("/T/B/x?y=z");
  });

  it.each([
    [
      "bearer",
      { kind: "bearer", token: "{{secrets.CRM_KEY}}" },
      "authorization",
      `Bearer ${value}`,
    ],
    [
      "basic",
      { kind: "basic", user: "{{start.data.body.user}}", password: "{{secrets.USER_PASSWORD}}" },
      "authorization",
      `Basic ${Buffer.from("ädä:p4ss:w0rd-long").toString("base64")}`,
    ],
    [
      "apiKey",
      { kind: "apiKey", in: "header", name: "X-Api-Key", value: "{{secrets.CRM_KEY}}" },
      "x-api-key",
      value,
    ],
  ])("a secret can be a credential: %s", async (_kind, auth, header, sent) => {
    const { slug } = await environment.publish(request({ auth }));
    const end = await environment.call(slug, { ip: freshIp(), body: { user: "ädä" } });
    expect(end.body.data.status).toBe("SUCCEEDED");
    expect(seen[0]?.headers[header]).toBe(sent);
  });

  it("a secret can be a query parameter", async () => {
    await run({ auth: { kind: "apiKey", in: "query", name: "key", value: "{{secrets.CRM_KEY}}" } });
    expect(new URL(seen[0]?.url ?? "", "http://x").searchParams.get("key")).toBe(value);
  });

  it("a secret with a colon cannot be the user of a basic credential", async () => {
    const auth = { kind: "basic", user: "a:b", password: "{{secrets.CRM_KEY}}" };
    expect((await run({ auth })).error).toMatchObject({
      code: "HTTP_REQUEST_INVALID",
      step: "call",
    });
    expect(seen).toHaveLength(0);
  });

  it("a secret never follows a redirect to another origin, in any header or body", async () => {
    answer = (call, response) => {
      if (call.url.startsWith("/end")) return response.end("ok");
      return response.writeHead(307, { location: `${baseOf(other)}/end` }).end();
    };
    const headers = { accept: "{{secrets.CRM_KEY}}", "content-type": "a/b" };
    const auth = { kind: "apiKey", in: "header", name: "User-Agent", value: "{{secrets.CRM_KEY}}" };
    expect((await run({ headers, auth, body: { n: 1 } })).status).toBe("SUCCEEDED");
    expect(seen[0]?.headers.accept).toBe(value);
    expect(seen[1]?.headers["content-type"]).toBe("a/b");
    expect(seen[1]?.body).toBe('{"n":1}');
    expect(JSON.stringify(seen[1])).not.toContain("k3y");
    const refused = await run({ body: ["{{secrets.CRM_KEY}}"] });
    expect(refused.error).toMatchObject({ code: "HTTP_REDIRECT_REFUSED" });
    expect(seen).toHaveLength(3);
  });

  it("a secret is removed from a response before anything of it is stored", async () => {
    answer = (call, response) => {
      response.setHeader("content-type", "application/json");
      response.setHeader("x-echo", `got ${call.headers.authorization}`);
      const pair = Buffer.from(`x:${value}`).toString("base64");
      response.end(JSON.stringify({ [value]: 1, list: [call.url, value, pair], n: 12.5 }));
    };
    const end = await run({
      auth: { kind: "bearer", token: "{{secrets.CRM_KEY}}" },
      query: { q: "{{secrets.CRM_KEY}}" },
    });
    expect(end.result).toMatchObject({
      headers: { "x-echo": "got Bearer [redacted]" },
      body: { "[redacted]": 1, list: ["/a?q=[redacted]", "[redacted]", "eD[redacted]="], n: 12.5 },
    });
    answer = (_call, response) => response.end(`text with ${encodeURIComponent(value)}`);
    expect((await run({ query: { q: "{{secrets.CRM_KEY}}" } })).result).toMatchObject({
      body: "text with [redacted]",
    });
    expect(await dump()).not.toMatch(/k3y/i);
  });

  it("a failed request stores no secret", async () => {
    answer = (_call, response) => response.writeHead(500, value.replace(/[^ -~]/g, "")).end(value);
    const auth = { kind: "bearer", token: "{{secrets.CRM_KEY}}" };
    expect((await run({ auth })).error).toMatchObject({ code: "HTTP_STATUS" });
    answer = (_call, response) => response.destroy();
    expect((await run({ auth })).error).toMatchObject({ code: "HTTP_FAILED" });
    await secretsOfWorkflows.create(
      { ...environment, vault },
      { name: "TWO_LINES", value: "k3y one\nk3y two" },
      actor,
    );
    const lines = { kind: "bearer", token: "{{secrets.TWO_LINES}}" };
    expect((await run({ auth: lines })).error).toMatchObject({ code: "HTTP_HEADER_INVALID" });
    expect((await run({ url: "{{secrets.TWO_LINES}}" })).error).toMatchObject({
      code: "HTTP_URL_INVALID",
    });
    expect(await dump()).not.toMatch(/k3y/i);
    expect(environment.failures.splice(0)).toEqual([
      new RunFault(
        "HTTP_FAILED",
        'The step "call" failed: The server closed the connection before its answer; it may expect https://',
      ),
    ]);
  });

  it("a step uses the current value of a secret, and fails cleanly once it is deleted", async () => {
    const secret = { name: "CHANGING", value: "first value" };
    await secretsOfWorkflows.create({ ...environment, vault }, secret, actor);
    const { slug } = await environment.publish(
      request({ headers: { "x-key": "{{secrets.CHANGING}}" } }),
    );
    const call = async () => (await environment.call(slug, { ip: freshIp() })).body.data;
    await call();
    await secretsOfWorkflows.update(
      { ...environment, vault },
      "CHANGING",
      { value: "second value" },
      actor,
    );
    await call();
    expect(seen.map(({ headers }) => headers["x-key"])).toEqual(["first value", "second value"]);
    await secretsOfWorkflows.remove(environment.database, "CHANGING", actor);
    expect((await call()).error).toEqual({
      code: "SECRET_UNAVAILABLE",
      message:
        "The secret CHANGING does not exist, or it was encrypted under another ROWHOUSE_SECRET",
      step: "call",
    });
    expect(seen).toHaveLength(2);
  });

  it("a value that was moved to another name in the database cannot be decrypted", async () => {
    const secret = { name: "STOLEN", value: "another value" };
    await secretsOfWorkflows.create({ ...environment, vault }, secret, actor);
    const { slug } = await environment.publish(request({ query: { q: "{{secrets.STOLEN}}" } }));
    await environment.database.query(
      `update system.workflow_secrets set sealed = (select sealed from system.workflow_secrets where name = 'CRM_KEY')
       where name = 'STOLEN'`,
    );
    const { body } = await environment.call(slug, { ip: freshIp() });
    expect(body.data.error?.code).toBe("SECRET_UNAVAILABLE");
    expect(seen).toHaveLength(0);
  });

  it("a caller's text is never read as a secret", async () => {
    const { slug } = await environment.publish(request({ body: "{{start.data.body.text}}" }));
    await environment.call(slug, { ip: freshIp(), body: { text: "{{secrets.CRM_KEY}}" } });
    expect(seen[0]?.body).toBe('"{{secrets.CRM_KEY}}"');
  });
});

describe("the body of a request", () => {
  it("a body can be a form", async () => {
    const body = {
      grant_type: "password",
      key: "{{secrets.CRM_KEY}}",
      n: 1.5,
      list: ["a", "b c"],
      no: null,
    };
    await run({ bodyKind: "form", body });
    expect(seen[0]?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect([...new URLSearchParams(seen[0]?.body)]).toEqual([
      ["grant_type", "password"],
      ["key", value],
      ["n", "1.5"],
      ["list", "a"],
      ["list", "b c"],
    ]);
  });

  it("a body can be a text, with the content type of the step", async () => {
    const body = "<order>{{start.data.meta.ip}}</order>";
    await run({ bodyKind: "text", body });
    await run({ bodyKind: "text", body, headers: { "Content-Type": "application/xml" } });
    expect(seen.map(({ headers }) => headers["content-type"])).toEqual([
      "text/plain; charset=utf-8",
      "application/xml",
    ]);
    expect(seen[0]?.body).toMatch(/^<order>198\.51\.100\.[0-9]+<\/order>$/);
  });

  it("a form body that is not an object fails the step", async () => {
    const end = await run({ bodyKind: "form", body: "{{start.data.meta.ip}}" });
    expect(end.error).toMatchObject({ code: "HTTP_REQUEST_INVALID" });
  });
});

describe("publishing a definition", () => {
  const faultsOf = (steps: object[], trigger: object = {}) => {
    const definition = parseDefinition(
      {
        trigger: { kind: "webhook", executeAs: "00000000-0000-4000-8000-000000000001", ...trigger },
        steps,
      },
      "",
    );
    return compileDefinition(definition).faults.map(({ path }) => path);
  };
  const secret = "a {{secrets.CRM_KEY}} b";
  const http = { id: "a", kind: "httpRequest", url: "https://example.org/" };

  it.each([
    ["/steps/0/values/x", { id: "a", kind: "setValues", values: { x: secret } }],
    ["/steps/0/values/x/0", { id: "a", kind: "createRow", table: "t", values: { x: [secret] } }],
    [
      "/steps/0/values/x",
      { id: "a", kind: "updateRows", table: "t", key: 1, values: { x: secret } },
    ],
    [
      "/steps/0/where/x/_eq",
      { id: "a", kind: "listRows", table: "t", where: { x: { _eq: secret } } },
    ],
    ["/steps/0/key", { id: "a", kind: "getRow", table: "t", key: secret }],
    ["/steps/0/key", { id: "a", kind: "deleteRows", table: "t", key: secret }],
    ["/steps/0/to", { id: "a", kind: "sendEmail", to: secret, subject: "s", text: "t" }],
    [
      "/steps/0/text",
      { id: "a", kind: "sendEmail", to: "a@example.org", subject: "s", text: secret },
    ],
    [
      "/steps/0/attachments/0",
      {
        id: "a",
        kind: "sendEmail",
        to: "a@example.org",
        subject: "s",
        text: "t",
        attachments: [secret],
      },
    ],
    ["/steps/0/content", { id: "a", kind: "storeFile", name: "n", content: secret }],
    ["/steps/0/name", { id: "a", kind: "storeFile", name: secret, content: "c" }],
    [
      "/steps/0/folderId",
      { id: "a", kind: "storeFile", name: "n", content: "c", folderId: secret },
    ],
    [
      "/steps/0/data/x",
      { id: "a", kind: "renderDocument", template: "t", name: "n", data: { x: secret } },
    ],
    [
      "/steps/0/language",
      { id: "a", kind: "renderDocument", template: "t", name: "n", language: secret },
    ],
    ["/steps/0/file", { id: "a", kind: "readFile", file: secret }],
    ["/steps/0/input/x", { id: "a", kind: "runWorkflow", workflow: "w", input: { x: secret } }],
    ["/steps/0/seconds", { id: "a", kind: "delay", seconds: secret }],
    ["/steps/0/until", { id: "a", kind: "delay", until: secret }],
    [
      "/steps/0/value",
      { id: "a", kind: "switch", value: secret, cases: [{ equals: 1, steps: [] }] },
    ],
    [
      "/steps/0/items",
      {
        id: "a",
        kind: "forEach",
        items: secret,
        steps: [{ id: "b", kind: "setValues", values: {} }],
      },
    ],
    ["/steps/0/expression", { id: "a", kind: "condition", expression: 'secrets.CRM_KEY == "x"' }],
    ["/steps/0/message", { id: "a", kind: "fail", message: secret }],
    ["/steps/0/result/x", { id: "a", kind: "finish", result: { x: secret } }],
    [
      "/steps/0/onError/steps/0/values/x",
      { ...http, onError: { steps: [{ id: "b", kind: "setValues", values: { x: secret } }] } },
    ],
    ["/steps/0/headers/x", { ...http, headers: { x: '{{secrets.CRM_KEY ?? "none"}}' } }],
    ["/steps/0/headers/x", { ...http, headers: { x: "{{secrets.crm_key}}" } }],
    ["/steps/0/headers/x", { ...http, headers: { x: "{{secrets}}" } }],
    ["/steps/0/headers/x", { ...http, headers: { x: "{{secrets.CRM_KEY.length}}" } }],
    [
      "/steps/0/headers/Authorization",
      { ...http, headers: { Authorization: "x" }, auth: { kind: "bearer", token: "t" } },
    ],
    [
      "/steps/0/query/key",
      {
        ...http,
        query: { key: "x" },
        auth: { kind: "apiKey", in: "query", name: "key", value: "t" },
      },
    ],
    ["/steps/0/body", { ...http, bodyKind: "form", body: ["x"] }],
    ["/steps/0/body", { ...http, bodyKind: "text", body: { a: 1 } }],
  ])("a definition with a fault at %s is not published", (path, step) => {
    expect(faultsOf([step])).toEqual([path]);
  });

  it.each([
    ["{{start.data.body.url}}", false],
    ["{{vars.base}}/a", false],
    ["https://{{start.data.body.host}}/a", false],
    ["https://example.org{{start.data.body.path}}", false],
    ["https://example.org:{{start.data.body.port}}/", false],
    ["{{secrets.CRM_KEY}}{{start.data.body.path}}", false],
    ["{{secrets.CRM_KEY}}.example.org/", false],
    ["https://example.org", true],
    ["https://example.org/{{start.data.body.path}}", true],
    ["https://example.org?{{start.data.body.path}}", true],
    ["{{secrets.CRM_KEY}}", true],
    ["{{secrets.CRM_KEY}}/{{start.data.body.path}}?x", true],
  ])("no value decides the destination of a secret: %s", (url, isFixed) => {
    const auth = { kind: "bearer", token: "{{secrets.CRM_KEY}}" };
    expect(faultsOf([{ ...http, url, auth }])).toEqual(isFixed ? [] : ["/steps/0/url"]);
    if (!url.includes("secrets")) expect(faultsOf([{ ...http, url }])).toEqual([]);
  });

  it("a signature requires method POST", () => {
    const signature = { kind: "GITHUB", secrets: ["CRM_KEY"] };
    expect(faultsOf([{ id: "end", kind: "finish" }], { method: "GET", signature })).toEqual([
      "/trigger/signature",
    ]);
  });

  it("a missing secret is reported at each of its uses", async () => {
    const attempt = environment.publish(
      request({
        headers: { a: "{{secrets.NOT_THERE}}", b: "{{secrets.CRM_KEY}}" },
        auth: { kind: "bearer", token: "{{secrets.NOR_THIS}}" },
      }),
      { signature: { kind: "GITHUB", secrets: ["CRM_KEY", "NO_SUCH"] } },
    );
    await expect(attempt).rejects.toMatchObject({
      faults: [
        {
          code: "WORKFLOW_INVALID",
          path: "/trigger/signature/secrets/1",
          message: "The secret NO_SUCH does not exist",
        },
        { code: "WORKFLOW_INVALID", path: "/steps/0/headers/a" },
        { code: "WORKFLOW_INVALID", path: "/steps/0/auth/token" },
      ],
    });
  });
});
