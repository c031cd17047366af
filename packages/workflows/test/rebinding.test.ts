import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sendRequest } from "../src/outgoing/send-request.ts";
import { type DnsServer, type Question, startDnsServer } from "./dns-server.ts";

// A name server that responds as an attacker's would, and a server on this machine that no request may reach.

/** A public address in a reserved block: nothing that is sent there arrives. */
const publicAddress = "2d00::1";
const loopback = "127.0.0.1";

let inner: Server;
let port = 0;
let reached: string[] = [];
let respond: (response: ServerResponse) => void = (response) => response.end("inner");
let dns: DnsServer | undefined;

beforeAll(async () => {
  inner = createServer((request, response) => {
    reached.push(`${request.headers.host}${request.url}`);
    respond(response);
  }).listen(0, loopback);
  await once(inner, "listening");
  const address = inner.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterEach(() => {
  reached = [];
  respond = (response) => response.end("inner");
  dns?.close();
});
afterAll(() => {
  inner.closeAllConnections();
  inner.close();
});

async function send(url: string, allowed: readonly string[] = []): Promise<unknown> {
  if (dns === undefined) throw new Error("no name server");
  return sendRequest(
    {
      method: "GET",
      url,
      headers: {},
      body: undefined,
      timeoutMs: 2000,
      responseBytesMax: 1000,
    },
    { allowed, public: null },
    undefined,
    dns.resolveName,
  ).then(
    (response) => response.status,
    (error: { code: string }) => error.code,
  );
}

const publicThenLoopback = ({ nth }: Question) => (nth === 0 ? [publicAddress] : [loopback]);

describe("a name that resolves to a public address first and to 127.0.0.1 later", () => {
  it("a name is resolved once per connection, which uses the checked address", async () => {
    dns = await startDnsServer(publicThenLoopback);
    // No server has the public address; the test checks that the request went nowhere else.
    expect(await send(`http://rebind.example:${port}/first`)).toMatch(/^HTTP_(FAILED|TIMEOUT)$/);
    expect(dns.questions.map(({ name, type }) => `${name} ${type}`).sort()).toEqual([
      "rebind.example A",
      "rebind.example AAAA",
    ]);
    expect(await send(`http://rebind.example:${port}/second`)).toBe("HTTP_ADDRESS_REFUSED");
    expect(reached).toEqual([]);
  });

  it("a redirect to a rebound name is rejected, even after public answers", async () => {
    dns = await startDnsServer(publicThenLoopback);
    await dns.resolveName("rebind.example", 0);
    respond = (response) =>
      response.writeHead(302, { location: `http://rebind.example:${port}/secret` }).end();
    expect(await send(`http://${loopback}:${port}/begin`, [loopback])).toBe("HTTP_ADDRESS_REFUSED");
    expect(reached).toEqual([`${loopback}:${port}/begin`]);
  });

  it("an allowed server cannot redirect to a rebound name", async () => {
    dns = await startDnsServer(() => [loopback]);
    respond = (response) =>
      response.writeHead(307, { location: `http://inner.example:${port}/secret` }).end();
    const answer = await send(`http://${loopback}:${port}/`, [`${loopback}:${port}`]);
    expect(answer).toBe("HTTP_ADDRESS_REFUSED");
    expect(reached).toHaveLength(1);
  });
});

describe("a name with public and non-public addresses", () => {
  it.each([
    [loopback],
    [publicAddress, loopback],
    ["8.8.8.8", "127.0.0.1"],
    [publicAddress, "::1"],
    ["169.254.169.254"],
    ["::ffff:169.254.169.254"],
    ["64:ff9b::a9fe:a9fe"],
    ["2002:7f00:1::"],
    ["fd00:ec2::254"],
    ["10.0.0.1"],
    ["0.0.0.0"],
  ])("a name with the addresses %j %j is rejected", async (...addresses) => {
    dns = await startDnsServer(() => addresses.filter((address) => address !== undefined));
    expect(await send(`http://inner.example:${port}/`)).toBe("HTTP_ADDRESS_REFUSED");
    expect(await send(`https://inner.example:${port}/`)).toBe("HTTP_ADDRESS_REFUSED");
    expect(reached).toEqual([]);
  });
});
