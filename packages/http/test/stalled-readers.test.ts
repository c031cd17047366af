// Tier: long. One of the slowest.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { type RunningServer, serve } from "../src/index.ts";

const timeLimits = {
  headersMs: 5000,
  requestMs: 5000,
  idleMs: 60_000,
  stallMs: 1000,
  checkMs: 50,
};
const local = { port: 0, hostname: "127.0.0.1", timeLimits };
// More than the send and receive buffers of both sockets hold.
const large = 64 * 1024 * 1024;

const opened: { servers: RunningServer[]; sockets: Socket[] } = { servers: [], sockets: [] };
afterEach(async () => {
  for (const socket of opened.sockets.splice(0)) socket.destroy();
  await Promise.all(opened.servers.splice(0).map((server) => server.stop(0)));
});

async function serveWith(answer: (ended: () => void) => Response | Promise<Response>) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const server = await serve((_request: Request) => answer(end), local);
  opened.servers.push(server);
  return { server, ended };
}

/** A caller that sends one request and reads nothing until the socket is resumed. */
function ask({ port }: RunningServer): Socket {
  const socket = connect(port, "127.0.0.1", () => {
    socket.write("GET /api/x HTTP/1.1\r\nHost: localhost\r\n\r\n");
  });
  socket.on("error", () => {});
  socket.pause();
  opened.sockets.push(socket);
  return socket;
}

function endless(cancelled: () => void) {
  return new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    cancel: cancelled,
  });
}

test("the connection of a caller that reads nothing is closed, and the response's source is canceled", async () => {
  const { server, ended } = await serveWith((end) => new Response(endless(end)));
  ask(server);
  await ended;
});

test("a completely written response is discarded if the caller reads nothing", async () => {
  const { server } = await serveWith(() => new Response(new Uint8Array(large)));
  const socket = ask(server);
  await sleep(4 * timeLimits.stallMs);
  let received = 0;
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.on("data", (chunk) => {
    received += chunk.byteLength;
  });
  socket.resume();
  await closed;
  expect(received).toBeGreaterThan(0);
  expect(received).toBeLessThan(large);
});

test("a caller that reads slowly, or waits for a slow response, receives all of it", async () => {
  const { server } = await serveWith(async () => {
    await sleep(3 * timeLimits.stallMs);
    return new Response(new Uint8Array(large));
  });
  const socket = ask(server);
  let received = 0;
  const over = new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
    socket.on("data", (chunk) => {
      received += chunk.byteLength;
      if (received >= large) resolve();
      socket.pause();
      setTimeout(() => socket.resume(), 1);
    });
  });
  socket.resume();
  await over;
  expect(received).toBeGreaterThanOrEqual(large);
});

test("a pause of the process does not count as a stall of its callers", async () => {
  const { server } = await serveWith(() => new Response(new Uint8Array(large)));
  const socket = ask(server);
  const closed = new Promise((resolve) => socket.once("close", () => resolve("closed")));
  let received = 0;
  socket.on("data", (chunk) => {
    received += chunk.byteLength;
  });
  await once(socket, "connect");
  await sleep(2 * timeLimits.checkMs);
  const until = performance.now() + 2 * timeLimits.stallMs;
  while (performance.now() < until);
  socket.resume();
  const whole = expect.poll(() => received, { timeout: 60_000 }).toBeGreaterThanOrEqual(large);
  expect(await Promise.race([whole.then(() => "whole"), closed])).toBe("whole");
});
