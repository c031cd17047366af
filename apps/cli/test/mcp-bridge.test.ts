// Tier: all. Starts processes.
import { EventEmitter, once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bridge, readLines } from "../src/serve-mcp.ts";
import { runCli } from "./run-cli.ts";

// What the bridge does with each response that a server, or another program at its address, can return.
type Received = { readonly headers: IncomingHttpHeaders; readonly body: string };
const token = `rhp_${"a".repeat(36)}`;

let server: Server;
let url: string;
let received: Received[] = [];
let respond: (response: ServerResponse, body: string) => void;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    received.push({ headers: request.headers, body });
    respond(response, body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const json = (text: string, status = 200) => {
  respond = (response) => {
    response.writeHead(status, { "Content-Type": "application/json" }).end(text);
  };
};
async function* listed(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
async function pass(lines: AsyncIterable<string> | readonly string[], to = url) {
  received = [];
  const written: string[] = [];
  const reported: string[] = [];
  await bridge(
    { url: to, token },
    {
      lines: Array.isArray(lines) ? listed(lines) : (lines as AsyncIterable<string>),
      write: (text) => written.push(text),
      report: (sentence) => reported.push(sentence),
    },
  );
  return { written, reported };
}
const call = (params: string, id = "1") =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`;
const meta = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}';

it("messages pass in both directions with every digit, as one line each", async () => {
  const result =
    '{"jsonrpc":"2.0",\r\n "id":9007199254740993,\n"result":{"total":1.10,"id":12345678901234567890}}';
  json(result);
  const line = call(
    '{"name":"read_rows","arguments":{"limit":1.0,"key":["12345678901234567890"]}}',
    "9007199254740993",
  );
  expect(await pass([line])).toEqual({
    written: [result.replace(/\s*[\r\n]+/g, " ")],
    reported: [],
  });
  expect(received.map(({ body }) => body)).toEqual([line]);
  expect(received[0]?.headers.authorization).toBe(`Bearer ${token}`);
});

it("from revision 2026-07-28 on, the headers repeat what the message states", async () => {
  json('{"jsonrpc":"2.0","id":1,"result":{}}');
  await pass([call(`{"name":"read_rows",${meta}}`)]);
  const named = (header: string) => received.map(({ headers }) => headers[header]);
  expect(named("mcp-protocol-version")).toEqual(["2026-07-28"]);
  expect(named("mcp-method")).toEqual(["tools/call"]);
  expect(named("mcp-name")).toEqual(["read_rows"]);
  await pass(
    ["rowhouse://schema/café/x", " x", "=?base64?eA==?=", "x\r\nAuthorization: other"].map(
      (uri, id) =>
        JSON.stringify({
          ...{ jsonrpc: "2.0", id, method: "resources/read" },
          params: { uri, _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } },
        }),
    ),
  );
  expect(
    named("mcp-name")
      .map((name) => Buffer.from(`${name}`.slice(9, -2), "base64").toString())
      .sort(),
  ).toEqual(
    ["rowhouse://schema/café/x", " x", "=?base64?eA==?=", "x\r\nAuthorization: other"].sort(),
  );
});

it("before revision 2026-07-28, the version is the one of the response to initialize", async () => {
  respond = (response, body) => {
    if (!body.includes('"id"')) return void response.writeHead(202).end();
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.end(
      'event: message\r\nid: 7\r\ndata: {"jsonrpc":"2.0","id":0,\r\ndata: "result":{"protocolVersion":"2025-06-18"}}\r\n\r\n',
    );
  };
  const { written } = await pass([
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  ]);
  expect(written).toEqual(['{"jsonrpc":"2.0","id":0,  "result":{"protocolVersion":"2025-06-18"}}']);
  expect(received.map(({ headers }) => headers["mcp-protocol-version"])).toEqual([
    undefined,
    "2025-06-18",
  ]);
  expect(received.every(({ headers }) => headers["mcp-method"] === undefined)).toBe(true);
});

it("a failure is an error response to the request and a sentence for the person, and nothing else", async () => {
  const fails = async (reason: RegExp) => {
    const { written, reported } = await pass([call("{}", '"a"')]);
    expect(written).toHaveLength(1);
    const { id, error } = JSON.parse(written[0] ?? "");
    expect([id, error.code]).toEqual(["a", -32_000]);
    expect(error.message).toMatch(reason);
    expect(reported).toEqual([error.message]);
  };
  json('{"errors":[{"code":"AUTHENTICATION_REQUIRED","message":"x"}]}', 401);
  await fails(/ returned 401 AUTHENTICATION_REQUIRED: the token is not valid/);
  json('{"errors":[{"code":"NOT_FOUND","message":"x"}]}', 404);
  await fails(/ returned 404 NOT_FOUND: .* mcp\.enabled is off/);
  json('{"errors":[{"code":"RATE_LIMITED","message":"Too many requests"}]}', 429);
  await fails(/ returned 429 RATE_LIMITED: Too many requests\.$/);
  json("<html>", 502);
  await fails(/ returned 502: the response is not of an MCP server/);
  json("<!doctype html><p>Welcome");
  await fails(/ returned 200: the response is not of an MCP server/);
  json("");
  await fails(/^The response ended early\.$/);
  respond = (response) => response.writeHead(302, { Location: "https://example.com/mcp" }).end();
  await fails(/ returned 302/);
  respond = (response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write("data: {\n", () => response.socket?.destroy());
  };
  await fails(/^The response ended early\.$/);
});

it("an error of the protocol passes with the id that the client waits for", async () => {
  json('{"jsonrpc":"2.0","id":null,"error":{"code":-32020,"message":"Header mismatch"}}', 400);
  expect((await pass([call("{}")])).written).toEqual([
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"Header mismatch"}}',
  ]);
  json('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}', 404);
  expect((await pass([call("{}")])).written).toEqual([
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}',
  ]);
  const { written, reported } = await pass(["nonsense", "[]"]);
  expect(written.map((text) => JSON.parse(text).error.code)).toEqual([-32_700, -32_700]);
  expect([reported, received]).toEqual([[], []]);
});

it("a cancelled request ends its connection and gets no response", async () => {
  const events = new EventEmitter();
  const [arrived, closed] = [once(events, "arrived"), once(events, "closed")];
  respond = (response) => {
    response.on("close", () => events.emit("closed"));
    events.emit("arrived");
  };
  async function* lines() {
    yield call("{}", '"slow"');
    await arrived;
    yield '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"slow"}}';
    await closed;
  }
  expect(await pass(lines())).toEqual({ written: [], reported: [] });
});

it("lines are read whole, and one that is too long ends the command", async () => {
  const read = async (...chunks: string[]) => {
    const lines: string[] = [];
    const input = (async function* () {
      for (const chunk of chunks) yield Buffer.from(chunk, "latin1");
    })();
    for await (const line of readLines(input)) lines.push(line);
    return lines;
  };
  expect(await read('{"a":"caf\xc3', '\xa9"}\r\n\n{"b"', ":1}\n{}")).toEqual([
    '{"a":"café"}',
    '{"b":1}',
    "{}",
  ]);
  await expect(read("x".repeat(2 ** 22), "y")).rejects.toThrow(/^A message is longer than 4194304/);
});

it("a token that no header can hold is not repeated, and a service that is down ends no bridge", async () => {
  const base = url.replace("/mcp", "");
  const wrong = await runCli(["mcp", "--url", base], { ROWHOUSE_TOKEN: "rhp_secret\nx" });
  expect(wrong).toEqual({
    code: 1,
    stdout: "",
    stderr: "rowhouse: --token or ROWHOUSE_TOKEN must be a token.\n",
  });
  const none = await pass([call("{}"), call("{}", "2")], "http://127.0.0.1:1/mcp");
  expect(none.written).toHaveLength(2);
  expect(none.reported[0]).toMatch(/^http:\/\/127\.0\.0\.1:1\/mcp did not respond \(.*\)\.$/);
});
