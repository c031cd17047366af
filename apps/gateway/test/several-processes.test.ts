import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { createServer as createSocketServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { startForwarding, startEcho as startOne } from "./forwarding.ts";
import type { Seen } from "./test-environment.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function startEcho(name: string, port = 0) {
  const server = await startOne(name, { port });
  ends.push(() => server.stop(0));
  return server;
}

/** A process that accepts connections and handles them as the test decides. */
async function startRaw(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createSocketServer(onConnection);
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function startGateway(urls: string[], probe = { everyMs: 1000, timeoutMs: 5000 }) {
  const gateway = await startForwarding(urls, { probe });
  ends.push(() => gateway.stop(0));
  const call = (method: string, body?: string) =>
    fetch(`${gateway.url}/api/x`, { method, ...(body === undefined ? {} : { body }) });
  const see = async (method: string, body?: string) => {
    const answer = await call(method, body);
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { data: Seen }).data;
  };
  return { call, see };
}

test("requests go to each process in turn", async () => {
  const [a, b] = [await startEcho("a"), await startEcho("b")];
  const { see } = await startGateway([a.url, b.url]);
  const services: string[] = [];
  for (let count = 0; count < 10; count++) services.push((await see("GET")).service);
  expect(services.filter((service) => service === "a")).toHaveLength(5);
});

test("a request that cannot connect to one process goes to another, with its body", async () => {
  const [a, b] = [await startEcho("a"), await startEcho("b")];
  const { see } = await startGateway([a.url, b.url]);
  await a.stop();
  for (let count = 0; count < 6; count++) {
    expect(
      (await see(count % 2 === 0 ? "POST" : "GET", count % 2 === 0 ? "x" : undefined)).service,
    ).toBe("b");
  }
  const again = await startEcho("again", a.port);
  const services = new Set<string>();
  while (!services.has("again")) services.add((await see("GET")).service);
  await b.stop();
  expect((await see("POST", "y")).body).toBe("y");
  await again.stop();
});

test("a stopping process gets requests only if there is no other, and is used again after its return", async () => {
  const [a, b] = [await startEcho("a"), await startEcho("b")];
  const { see } = await startGateway([a.url, b.url], { everyMs: 100, timeoutMs: 5000 });
  await a.drain(0);
  // The first response that closes its connection announces the stop.
  for (let count = 0; count < 4; count++) await see("GET");
  for (let count = 0; count < 10; count++) expect((await see("POST", "x")).service).toBe("b");
  // Without another process it still gets requests.
  await b.stop();
  expect((await see("GET")).service).toBe("a");
  await a.stop();
  const again = await startEcho("again", b.port);
  let service = "";
  while (service !== "again") service = (await see("GET")).service;
  await again.stop();
});

test("a safe request is repeated once when its connection breaks, a write never", async () => {
  const methods: string[] = [];
  const url = await startRaw((socket) => {
    socket.once("data", (chunk) => {
      methods.push(String(chunk).split(" ")[0] ?? "");
      if (methods.length === 1 || methods.at(-1) === "POST") socket.destroy();
      else socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
    });
  });
  const { call } = await startGateway([url], { everyMs: 100_000, timeoutMs: 1000 });
  expect(await (await call("GET")).text()).toBe("ok");
  expect(methods).toEqual(["GET", "GET"]);
  const refused = await call("POST", "x");
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(methods).toEqual(["GET", "GET", "POST"]);
});

test("a hanging process is detected: waiting requests move on or are rejected, and it gets no others", async () => {
  let asked = 0;
  const hanging = await startRaw((socket) => {
    socket.on("data", () => {
      asked += 1;
    });
  });
  const healthy = await startEcho("healthy");
  const { call, see } = await startGateway([hanging, healthy.url], {
    everyMs: 50,
    timeoutMs: 100,
  });
  const reads = await Promise.all(Array.from({ length: 6 }, () => call("GET")));
  expect(reads.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  expect(asked).toBeGreaterThan(1);
  for (let count = 0; count < 6; count++) expect((await see("POST", "x")).service).toBe("healthy");
});

test("while every process hangs, requests are rejected without being sent", async () => {
  const seen: string[] = [];
  const hanging = await startRaw((socket) => {
    socket.on("data", (chunk) => seen.push(String(chunk)));
  });
  const { call } = await startGateway([hanging], { everyMs: 50, timeoutMs: 100 });
  expect((await call("GET")).status).toBe(503);
  for (let count = 0; count < 20; count++) expect((await call("POST", "x")).status).toBe(503);
  expect(seen.filter((text) => text.startsWith("POST"))).toEqual([]);
});
