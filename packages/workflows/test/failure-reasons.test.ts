import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:https";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RunFault } from "../src/base/run-fault.ts";
import { readRun } from "../src/history/read-run.ts";
import type { HostRules, ResolveName } from "../src/outgoing/address-guard.ts";
import { failureReason } from "../src/outgoing/failure-reason.ts";
import { sendRequest } from "../src/outgoing/send-request.ts";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

const folder = mkdtempSync(join(tmpdir(), "rowhouse-certificates-"));
const rules: HostRules = { allowed: ["127.0.0.1", "[::1]"], public: null };
const ends: (() => void)[] = [];

function openssl(...args: string[]): void {
  const { status, stderr } = spawnSync("openssl", args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`openssl failed:\n${stderr}`);
}

const keyOf = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** Creates a certificate of the authority `ca`, for a host and for a number of days. */
function issue(name: string, host: string, days: string): void {
  openssl("req", ...keyOf, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", `/CN=${name}`);
  writeFileSync(join(folder, "names"), `subjectAltName=${host}`);
  const by = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names"];
  openssl("x509", "-req", "-in", `${name}.csr`, ...by, "-out", `${name}.pem`, "-days", days);
}

beforeAll(() => {
  openssl("req", "-x509", ...keyOf, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=ca");
  issue("right", "IP:127.0.0.1", "10");
  issue("expired", "IP:127.0.0.1", "-1");
  issue("other", "DNS:other.example", "10");
});
afterAll(() => {
  for (const end of ends) end();
  rmSync(folder, { recursive: true });
});

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Starts a server that does the same with each connection. @returns its port */
async function serve(act: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    act(socket);
  });
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listen(server);
}

async function serveTls(name: string): Promise<number> {
  const file = (kind: string) => readFileSync(join(folder, `${name}.${kind}`));
  const server = createTlsServer({ cert: file("pem"), key: file("key") }, (socket) => {
    socket.on("error", () => {});
    socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  });
  server.on("tlsClientError", () => {});
  ends.push(() => server.close());
  return listen(server);
}

const answers = (text: string) => (socket: Socket) => {
  socket.once("data", () => socket.end(text));
};

/** @returns the reason of a request that fails */
async function reasonOf(url: string, timeoutMs = 5000, resolve?: ResolveName): Promise<unknown> {
  const request = { method: "GET", url, headers: {}, body: undefined, responseBytesMax: 1000 };
  const sent = sendRequest({ ...request, timeoutMs }, rules, undefined, resolve);
  return sent.then(
    ({ status }) => status,
    ({ code, message, reason }) => {
      expect(message).toMatch(
        /^(The request could not be sent, or its response could not be read|No response within \d+ ms)$/,
      );
      return `${code}: ${reason}`;
    },
  );
}

/** A port on which no server listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, "close");
  return port;
}

/** A port of a stopped process whose queue of connections is full. */
async function fullPort(): Promise<number> {
  const program = `const server = require("node:net").createServer();
    server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => console.log(server.address().port))`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  ends.push(() => child.kill("SIGKILL"));
  const [line] = await once(child.stdout, "data");
  const port = Number(String(line));
  child.kill("SIGSTOP");
  for (let at = 0; at < 8; at += 1) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    ends.push(() => socket.destroy());
  }
  await sleep(200);
  return port;
}

const http = (port: number) => `http://127.0.0.1:${port}/`;
const https = (port: number) => `https://127.0.0.1:${port}/`;

describe("an outgoing request that fails says why", () => {
  it.each<[string, () => Promise<unknown>, string]>([
    [
      "an unknown name",
      () => reasonOf("http://no-such-name.invalid/"),
      // A machine without a name server reports EAI_AGAIN.
      "HTTP_FAILED: (The name of the host does not exist|No name server answered for the name of the host)",
    ],
    [
      "a refused connection",
      async () => reasonOf(http(await closedPort())),
      "HTTP_FAILED: The server refused the connection",
    ],
    [
      "a reset connection",
      async () =>
        reasonOf(
          http(await serve((socket) => socket.once("data", () => socket.resetAndDestroy()))),
        ),
      "HTTP_FAILED: The server closed the connection before its answer",
    ],
    [
      "a connection that ends within the answer",
      async () =>
        reasonOf(http(await serve(answers("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")))),
      "HTTP_FAILED: The server closed the connection within its answer",
    ],
    [
      "a self-signed certificate",
      async () => reasonOf(https(await serveTls("ca"))),
      "HTTP_FAILED: The server's certificate is self-signed",
    ],
    [
      "a certificate of an unknown issuer",
      async () => reasonOf(https(await serveTls("right"))),
      "HTTP_FAILED: The issuer of the server's certificate is unknown",
    ],
    [
      "TLS to a server of HTTP",
      async () => reasonOf(https(await serve(answers("HTTP/1.1 400 Bad Request\r\n\r\n")))),
      "HTTP_FAILED: The server does not speak TLS on this port; it may expect http://",
    ],
    [
      "TLS to a server that closes the connection",
      async () => reasonOf(https(await serve(answers("")))),
      "HTTP_FAILED: The server closed the connection during the TLS handshake",
    ],
    [
      "HTTP to a server of TLS",
      async () => reasonOf(http(await serveTls("right"))),
      "HTTP_FAILED: (The server speaks TLS on this port; use https://|The server closed the connection before its answer; it may expect https://)",
    ],
    [
      "an answer that is not HTTP",
      async () => reasonOf(http(await serve(answers("220 mail.example ESMTP\r\n")))),
      "HTTP_FAILED: The answer is not valid HTTP",
    ],
    [
      "a malformed chunk",
      async () =>
        reasonOf(
          http(await serve(answers("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"))),
        ),
      "HTTP_FAILED: The answer is not valid HTTP",
    ],
    [
      "a head that is too large",
      async () =>
        reasonOf(
          http(await serve(answers(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(100_000)}\r\n\r\n`))),
        ),
      "HTTP_FAILED: The head of the answer is too large",
    ],
    [
      "another protocol",
      async () =>
        reasonOf(
          http(await serve(answers("HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"))),
        ),
      "HTTP_FAILED: The server switched protocols (\\(101\\))",
    ],
    [
      "a name that is not resolved in time",
      () => reasonOf("http://slow.example/", 100, () => new Promise(() => {})),
      "HTTP_TIMEOUT: The name of the host was not resolved in time",
    ],
    [
      "a connection that is not accepted in time",
      async () => reasonOf(http(await fullPort()), 300),
      "HTTP_TIMEOUT: The server did not accept the connection in time",
    ],
    [
      "a TLS handshake that is not completed in time",
      async () => reasonOf(https(await serve(() => {})), 200),
      "HTTP_TIMEOUT: The server did not complete the TLS handshake in time",
    ],
    [
      "an answer that does not arrive in time",
      async () => reasonOf(http(await serve(() => {})), 200),
      "HTTP_TIMEOUT: The server accepted the connection, and sent no answer in time",
    ],
    [
      "an answer that is incomplete in time",
      async () =>
        reasonOf(
          http(
            await serve((socket) =>
              socket.once("data", () =>
                socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"),
              ),
            ),
          ),
          200,
        ),
      "HTTP_TIMEOUT: The server did not send the whole answer in time",
    ],
  ])("%s", async (_name, fail, expected) => {
    expect(await fail()).toMatch(new RegExp(`^${expected}`));
  });

  it.each([
    ["expired", "The server's certificate has expired"],
    ["other", "The server's certificate is for another host"],
  ])("the certificate of a known issuer: %s", async (name, expected) => {
    const ca = readFileSync(join(folder, "ca.pem"));
    const [error] = await once(get(https(await serveTls(name)), { ca, agent: false }), "error");
    expect(failureReason(error, "TLS")).toBe(expected);
  });
});

describe("the reason of a failed step", () => {
  let environment: TestEnvironment;
  beforeAll(async () => {
    environment = await openTestEnvironment({
      allowedHosts: ["127.0.0.1"],
    });
  });
  afterAll(() => environment.close());

  it("administrators read it, and the log has it once; neither the caller nor an expression does", async () => {
    const call = { kind: "httpRequest", method: "GET", url: http(await closedPort()) } as const;
    const reason = "The server refused the connection";
    const retry = { attempts: 3, delayMs: 100 };
    const { slug, id } = await environment.publish([{ id: "ask", ...call, retry }]);
    const { body } = await environment.call(slug);
    expect(body.data).toMatchObject({ status: "FAILED", error: { code: "HTTP_FAILED" } });
    expect(JSON.stringify(body)).not.toContain("refused");
    const run = await readRun(environment.database, id, body.data.id);
    expect(run.steps.map(({ error }) => error?.reason)).toEqual([reason]);
    expect(run.error).toEqual({
      code: "HTTP_FAILED",
      message: "The request could not be sent, or its response could not be read",
      step: "ask",
    });
    expect(environment.failures).toEqual([
      new RunFault("HTTP_FAILED", `The step "ask" failed: ${reason}`),
    ]);

    const handled = await environment.publish([
      { id: "ask", ...call, onError: "continue" },
      { id: "wait", kind: "delay", seconds: 0.01 },
      { id: "end", kind: "finish", result: "{{errors.ask}}" },
    ]);
    const answer = await environment.call(handled.slug);
    expect(answer.body.data.result).toMatchObject({ code: "HTTP_FAILED" });
    expect(JSON.stringify(answer.body)).not.toContain("refused");
  });
});
