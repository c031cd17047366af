import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { createLogger } from "@rowhouse/service";
import { describe, expect, test } from "vitest";
import { createService, jsonText, requestIdFrom, serve } from "../src/index.ts";

function createGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

const local = { port: 0, hostname: "127.0.0.1" };

test("a service responds over a socket as it does in process", async () => {
  const service = createService({ logger: createLogger("test", "silent") });
  service.get("/api/x", (c) => jsonText(200, '{"data":1}', c.env.edge.requestId));
  const edge = { requestId: "r1", clientAddress: "127.0.0.1" };
  const server = await serve((incoming: Request) => service.fetch(incoming, { edge }), local);
  const answer = await fetch(`${server.url}/api/x`);
  expect(await answer.text()).toBe('{"data":1}');
  expect(answer.headers.get("content-length")).toBe("10");
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("x-request-id")).toBe("r1");
  await server.stop();
});

test("a taken port aborts the start with one sentence that names it", async () => {
  const first = await serve(() => new Response("x"), local);
  await expect(serve(() => new Response("x"), { ...local, port: first.port })).rejects.toThrow(
    `Port ${first.port} on 127.0.0.1 is in use by another process; set PORT to a free port.`,
  );
  await first.stop();
});

test("every server takes the absolute form of a target, also a service and a server of metrics", async () => {
  const seen: string[] = [];
  const server = await serve((incoming: Request) => {
    seen.push(`${incoming.url} ${incoming.headers.get("host")}`);
    return new Response("x");
  }, local);
  const socket = connect(server.port, "127.0.0.1").resume();
  socket.write(
    "GET http://one.example:81/api/x?y HTTP/1.1\r\nHost: two.example\r\nConnection: close\r\n\r\n",
  );
  await once(socket, "close");
  expect(seen).toEqual(["http://one.example:81/api/x?y one.example:81"]);
  await server.stop();
});

describe("stopping", () => {
  test("a stopping server finishes requests in progress and accepts no other", async () => {
    const started = createGate();
    const finishing = createGate();
    const server = await serve(async () => {
      started.open();
      await finishing.opened;
      return new Response("done");
    }, local);
    const inProgress = fetch(server.url);
    await started.opened;
    const stopped = server.stop();
    await expect(fetch(server.url)).rejects.toThrow();
    finishing.open();
    expect(await (await inProgress).text()).toBe("done");
    await stopped;
  });

  test("a draining server is not ready, and each of its responses closes the connection", async () => {
    const server = await serve(() => new Response("answered"), local);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    const drained = server.drain(300);
    const ready = await fetch(`${server.url}/readyz`, { headers: { "x-request-id": "r1" } });
    expect([ready.status, ready.headers.get("x-request-id")]).toEqual([503, "r1"]);
    expect(await ready.json()).toMatchObject({
      errors: [{ code: "SERVICE_UNAVAILABLE", details: { checks: { process: false } } }],
    });
    const other = await fetch(`${server.url}/livez`);
    expect([other.status, other.headers.get("connection")]).toEqual([200, "close"]);
    await drained;
    expect(await (await fetch(server.url)).text()).toBe("answered");
    await server.stop();
  });

  test("a stopping server does not wait for a connection that has sent nothing", async () => {
    const server = await serve(() => new Response("x"), local);
    const socket = connect(server.port, "127.0.0.1");
    await once(socket, "connect");
    const closed = once(socket, "close");
    // Long past the timeout of this test.
    await server.stop(600_000);
    await closed;
  });

  test("a stopping server closes connections whose request does not finish in time", async () => {
    const started = createGate();
    const server = await serve(() => {
      started.open();
      return new Promise<Response>(() => {});
    }, local);
    const failed = new Promise((resolve) => request(server.url).on("error", resolve).end());
    await started.opened;
    await server.stop(50);
    await failed;
  });
});

test("a well-formed request id is kept; any other is replaced", () => {
  expect(requestIdFrom("Ab.9_-")).toBe("Ab.9_-");
  const made = [undefined, null, "", "a b", "a\n", "ä", "x".repeat(129)].map(requestIdFrom);
  expect(new Set(made).size).toBe(made.length);
  for (const id of made) expect(id).toMatch(/^[A-Za-z0-9._-]{10,40}$/);
});

test("a stop with an idle grace still serves a request on an idle connection, and closes it with the response", async () => {
  const server = await serve(() => new Response("x"), { ...local, idleGraceMs: 5000 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () =>
    new Promise<string | undefined>((resolve, reject) => {
      request(server.url, { agent })
        .on("response", (answer) => {
          answer.resume().on("end", () => resolve(answer.headers.connection));
        })
        .on("error", reject)
        .end();
    });
  expect(await ask()).toBe("keep-alive");
  const stopped = server.stop();
  expect(await ask()).toBe("close");
  await stopped;
  await expect(ask()).rejects.toThrow("ECONNREFUSED");
});

test("a process that is held up during its idle grace still serves what has arrived meanwhile", async () => {
  const server = await serve(() => new Response("x"), { ...local, idleGraceMs: 200 });
  const socket = connect(server.port, "127.0.0.1");
  const ask = () => socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
  const answer = async () => String((await once(socket, "data"))[0]);
  ask();
  expect(await answer()).toContain("Connection: keep-alive");
  const stopped = server.stop();
  ask();
  const until = performance.now() + 400;
  while (performance.now() < until);
  expect(await answer()).toContain("Connection: close");
  await stopped;
});
