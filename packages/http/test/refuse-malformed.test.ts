import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jsonText, type RejectedRequest, type RunningServer, serve } from "../src/index.ts";

let server: RunningServer;
const refused: RejectedRequest[] = [];
let seen = 0;

beforeAll(async () => {
  const fetch = async (request: Request) => {
    seen += 1;
    await request.arrayBuffer().catch(() => {});
    return jsonText(200, "{}", "r");
  };
  server = await serve(fetch, {
    port: 0,
    hostname: "127.0.0.1",
    headerBytesMax: 32_768,
    timeLimits: { headersMs: 300, requestMs: 600, idleMs: 5000, stallMs: 5000, checkMs: 50 },
    onRefused: (refusal) => refused.push(refusal),
  });
});
afterAll(() => server.stop());

/** Everything that arrives until the server closes the connection. */
function exchange(...parts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(server.port, "127.0.0.1", async () => {
      for (const part of parts) {
        socket.write(part, "latin1");
        await new Promise((written) => setTimeout(written, 20));
      }
    });
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
    });
    socket.on("close", () => resolve(received));
    socket.on("error", reject);
  });
}

const line = "POST /api/x HTTP/1.1\r\n";
const head = `${line}Host: localhost\r\n`;

describe("malformed bytes get a standard error, and the connection is closed", () => {
  test.each<[string, string, number, string]>([
    ["no HTTP at all", "hello\r\n\r\n", 400, "REQUEST_INVALID"],
    ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, "REQUEST_INVALID"],
    ["another protocol", "GET / RTSP/9.9\r\n\r\n", 400, "REQUEST_INVALID"],
    ["HTTP/0.9", "GET /livez\r\n\r\n", 400, "REQUEST_INVALID"],
    ["a request of HTTP/0.9", "GET /livez HTTP/0.9\r\nHost: a\r\n\r\n", 400, "REQUEST_INVALID"],
    [
      "chunks of HTTP/1.0",
      "POST /api/x HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
      "REQUEST_INVALID",
    ],
    [
      "a transfer coding besides chunked",
      `${head}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
      400,
      "REQUEST_INVALID",
    ],
    [
      "a fragment in the path",
      "GET /livez#x HTTP/1.1\r\nHost: localhost\r\n\r\n",
      400,
      "REQUEST_INVALID",
    ],
    [
      "a fragment in the query",
      "GET /api/x?color=#fff&limit=1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
      400,
      "REQUEST_INVALID",
    ],
    [
      "length and chunks",
      `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      "REQUEST_INVALID",
    ],
    [
      "chunks and length",
      `${head}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
      400,
      "REQUEST_INVALID",
    ],
    [
      "two lengths",
      `${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`,
      400,
      "REQUEST_INVALID",
    ],
    [
      "two equal lengths",
      `${head}Content-Length: 1\r\nContent-Length: 1\r\n\r\na`,
      400,
      "REQUEST_INVALID",
    ],
    ["a list of lengths", `${head}Content-Length: 1, 1\r\n\r\na`, 400, "REQUEST_INVALID"],
    ["a signed length", `${head}Content-Length: +1\r\n\r\na`, 400, "REQUEST_INVALID"],
    ["a length in hex", `${head}Content-Length: 0x1\r\n\r\na`, 400, "REQUEST_INVALID"],
    [
      "an unknown transfer coding",
      `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
      400,
      "REQUEST_INVALID",
    ],
    [
      "chunked before another transfer coding",
      `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
      400,
      "REQUEST_INVALID",
    ],
    [
      "an invalid chunk size",
      `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
      "REQUEST_INVALID",
    ],
    [
      "a chunk longer than its size",
      `${head}Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n`,
      400,
      "REQUEST_INVALID",
    ],
    ["a bare LF", `${line}Host: localhost\nContent-Length: 0\r\n\r\n`, 400, "REQUEST_INVALID"],
    ["bare LFs alone", "GET /api/x HTTP/1.1\nHost: localhost\n\n", 400, "REQUEST_INVALID"],
    ["a folded header", `${head}X: y\r\n z\r\n\r\n`, 400, "REQUEST_INVALID"],
    ["a space before the colon", `${head}Content-Length : 0\r\n\r\n`, 400, "REQUEST_INVALID"],
    ["a NUL in a header", `${head}X: a\0b\r\n\r\n`, 400, "REQUEST_INVALID"],
    ["an empty header name", `${head}X y: a\r\n\r\n`, 400, "REQUEST_INVALID"],
    ["no host", `${line}\r\n`, 400, "REQUEST_INVALID"],
    ["an empty host", `${line}Host: \r\n\r\n`, 400, "REQUEST_INVALID"],
    ["two hosts", `${head}Host: example.com\r\n\r\n`, 400, "REQUEST_INVALID"],
    ["two equal hosts", `${head}HOST: localhost\r\n\r\n`, 400, "REQUEST_INVALID"],
    ["an invalid host", `${line}Host: a b/\r\n\r\n`, 400, "REQUEST_INVALID"],
    ["a host with user information", `${line}Host: a@b\r\n\r\n`, 400, "REQUEST_INVALID"],
    ["a tunnel", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", 400, "REQUEST_INVALID"],
    ["a header too large", `${head}X: ${"x".repeat(40_000)}\r\n\r\n`, 431, "HEADERS_TOO_LARGE"],
    ["too many headers", `${head}${"X: y\r\n".repeat(201)}\r\n`, 431, "HEADERS_TOO_LARGE"],
    [
      "more headers than Node counts",
      `${head}${"a:b\r\n".repeat(2500)}Host: other\r\n\r\n`,
      431,
      "HEADERS_TOO_LARGE",
    ],
    [
      "a URL that is too long",
      `GET /${"x".repeat(25_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      414,
      "URL_TOO_LONG",
    ],
    ["headers that never end", `${head}X: y`, 408, "REQUEST_TIMEOUT"],
    ["a connection without any byte", "", 408, "REQUEST_TIMEOUT"],
    ["a body that never ends", `${head}Content-Length: 5\r\n\r\nab`, 408, "REQUEST_TIMEOUT"],
  ])("%s", async (_name, bytes, status, code) => {
    refused.length = 0;
    const received = await exchange(bytes);
    const [answerHead = "", body = "", ...more] = received.split("\r\n\r\n");
    expect(answerHead.split("\r\n")[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answerHead.toLowerCase()).toContain("connection: close");
    expect(answerHead.toLowerCase()).toContain("content-type: application/json");
    expect(answerHead.toLowerCase()).toContain("cache-control: no-store");
    expect(answerHead).toContain(`ength: ${Buffer.byteLength(body)}`);
    // Bytes after the rejected request were not handled as another request.
    expect(more).toEqual([]);
    const { errors, meta } = JSON.parse(body);
    expect(errors).toHaveLength(1);
    expect(errors[0].code).toBe(code);
    expect(answerHead).toContain(`X-Request-Id: ${meta.requestId}`);
    expect(refused).toEqual([{ status, requestId: meta.requestId, clientAddress: "127.0.0.1" }]);
    expect((await fetch(`${server.url}/api/x`)).status).toBe(200);
  });
});

test("a request that is hidden in the bytes of another reaches no handler", async () => {
  const before = seen;
  const smuggled = "GET /admin/api/x HTTP/1.1\r\nHost: localhost\r\n\r\n";
  await exchange(
    `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  );
  await exchange(`${head}Host: other\r\nContent-Length: 0\r\n\r\n${smuggled}`);
  expect(seen).toBe(before);
});

test("an unknown Expect header has no effect: the request is checked and handled like any other", async () => {
  const expecting = "GET /api/x HTTP/1.1\r\nExpect: 200-ok\r\n";
  const before = seen;
  const handled = await exchange(`${expecting}Host: localhost\r\nConnection: close\r\n\r\n`);
  expect(handled.split("\r\n")[0]).toBe("HTTP/1.1 200 OK");
  expect(seen).toBe(before + 1);
  const refusedToo = await exchange(`${expecting}\r\n`);
  expect(refusedToo.split("\r\n")[0]).toBe("HTTP/1.1 400 Bad Request");
  expect(refusedToo).toContain("REQUEST_INVALID");
  expect(seen).toBe(before + 1);
});

test("an error after the head of a response closes the connection and writes nothing into the response", async () => {
  const streaming = await serve(
    () =>
      new Response(
        new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([65])) }),
      ),
    { port: 0, hostname: "127.0.0.1" },
  );
  const received = await new Promise<string>((resolve) => {
    let text = "";
    const socket = connect(streaming.port, "127.0.0.1", () => {
      socket.write("GET /api/x HTTP/1.1\r\nHost: localhost\r\n\r\n");
    });
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (text.endsWith("1\r\nA\r\n")) socket.write("no request\r\n\r\n");
    });
    socket.on("close", () => resolve(text));
    socket.on("error", () => {});
  });
  expect(received.match(/HTTP\/1.1/g)).toHaveLength(1);
  expect(received.endsWith("1\r\nA\r\n")).toBe(true);
  await streaming.stop(0);
});
