import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sendRequest } from "../src/outgoing/send-request.ts";
import { type DnsServer, type Question, startDnsServer } from "./dns-server.ts";

// A name server that says what an attacker's would, and a server on this machine that nobody must reach.

/** Public to all appearance, and in a block that no one was given: what is sent there arrives nowhere. */
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

describe("a name that answers public first and 127.0.0.1 later", () => {
  it("is asked once for a connection, which goes where the answer that was checked says", async () => {
    dns = await startDnsServer(publicThenLoopback);
    // Nothing is at the public address; what counts is that nothing went anywhere else.
    expect(await send(`http://rebind.example:${port}/first`)).toMatch(/^HTTP_(FAILED|TIMEOUT)$/);
    expect(dns.questions.map(({ name, type }) => `${name} ${type}`).sort()).toEqual([
      "rebind.example A",
      "rebind.example AAAA",
    ]);
    expect(await send(`http://rebind.example:${port}/second`)).toBe("HTTP_ADDRESS_REFUSED");
    expect(reached).toEqual([]);
  });

  it("is refused on the way of a redirect, however often it was public before", async () => {
    dns = await startDnsServer(publicThenLoopback);
    await dns.resolveName("rebind.example", 0);
    respond = (response) =>
      response.writeHead(302, { location: `http://rebind.example:${port}/secret` }).end();
    expect(await send(`http://${loopback}:${port}/begin`, [loopback])).toBe("HTTP_ADDRESS_REFUSED");
    expect(reached).toEqual([`${loopback}:${port}/begin`]);
  });

  it("gains nothing from a server that is allowed under another name and redirects to it", async () => {
    dns = await startDnsServer(() => [loopback]);
    respond = (response) =>
      response.writeHead(307, { location: `http://inner.example:${port}/secret` }).end();
    const answer = await send(`http://${loopback}:${port}/`, [`${loopback}:${port}`]);
    expect(answer).toBe("HTTP_ADDRESS_REFUSED");
    expect(reached).toHaveLength(1);
  });
});

describe("a name whose addresses are not all public", () => {
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
  ])("is refused: %j %j", async (...addresses) => {
    dns = await startDnsServer(() => addresses.filter((address) => address !== undefined));
    expect(await send(`http://inner.example:${port}/`)).toBe("HTTP_ADDRESS_REFUSED");
    expect(await send(`https://inner.example:${port}/`)).toBe("HTTP_ADDRESS_REFUSED");
    expect(reached).toEqual([]);
  });
});
