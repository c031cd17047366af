import { request as openRequest } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { RunningServer } from "@rowhouse/http";
import { createLogger } from "@rowhouse/service";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createApp, inProcess, serveGateway } from "../src/index.ts";
import { createEcho, exchangeRaw, plain } from "./test-environment.ts";

interface Line {
  readonly msg: string;
  readonly [key: string]: unknown;
}

let server: RunningServer;
let lines: string[] = [];

beforeAll(async () => {
  const logger = createLogger("gateway", "info", { write: (line) => lines.push(line) });
  const echo = inProcess(createEcho("data-api"));
  const gateway = createApp({
    ...plain,
    logger,
    dataApi: echo,
    adminApi: echo,
    trustedProxies: () => ["127.0.0.1"],
  });
  server = await serveGateway(gateway, logger, { port: 0, hostname: "127.0.0.1" });
});
beforeEach(() => {
  lines = [];
});
afterAll(() => server.stop());

/** The next line; it is written once the response is complete on this side. */
async function nextLine(): Promise<Line> {
  while (lines.length === 0) await delay(5);
  return JSON.parse(lines.shift() ?? "") as Line;
}

test("each request is one log line with client, path, result, duration and bytes", async () => {
  const answer = await fetch(`${server.url}/api/x`, {
    method: "POST",
    body: "12345",
    headers: { "X-Request-Id": "r1", "X-Forwarded-For": "203.0.113.9" },
  });
  const body = await answer.text();
  const line = await nextLine();
  expect(line).toMatchObject({
    msg: "A request was answered",
    requestId: "r1",
    clientAddress: "203.0.113.9",
    method: "POST",
    path: "/api/x",
    status: 200,
    isWhole: true,
    requestBytes: 5,
  });
  expect(line.durationMs).toBeGreaterThanOrEqual(0);
  expect(Math.abs(Date.now() - Number(line.time))).toBeLessThan(60_000);
  expect(line.responseBytes).toBeGreaterThan(body.length);
  expect(lines).toEqual([]);
});

test("the access log contains no header, query or body", async () => {
  const canary = "canary-4711";
  await fetch(`${server.url}/api/x?code=${canary}&${canary}=1`, {
    method: "POST",
    body: canary,
    headers: {
      Authorization: `Bearer ${canary}`,
      Cookie: `session=${canary}`,
      "X-Api-Key": canary,
      Referer: `https://example.com/${canary}`,
      "User-Agent": canary,
    },
  });
  await fetch(`${server.url}/nowhere?code=${canary}`, {
    headers: { Authorization: canary, Origin: `https://${canary}` },
  });
  await exchangeRaw(
    server.port,
    `GET /api/x?${canary} HTTP/1.1\r\nAuthorization: ${canary}\r\n\r\n`,
  );
  await exchangeRaw(
    server.port,
    `GET /api/x?${canary} HTTP/1.1\r\nAuthorization : ${canary}\r\n\r\n`,
  );
  const logged = [await nextLine(), await nextLine(), await nextLine(), await nextLine()];
  expect(logged.map(({ status }) => status)).toEqual([200, 404, 400, 400]);
  expect(JSON.stringify(logged)).not.toContain("canary");
  expect(logged[2]).toMatchObject({
    msg: "A request was rejected before it reached a handler",
    clientAddress: "127.0.0.1",
  });
});

test("the access log distinguishes a caller that disconnected", async () => {
  const request = openRequest(`${server.url}/api/never`).on("error", () => {});
  request.end();
  await delay(50);
  request.destroy();
  expect(await nextLine()).toMatchObject({ path: "/api/never", status: null, isWhole: false });
});

test("health requests are not logged", async () => {
  await fetch(`${server.url}/livez`);
  await fetch(`${server.url}/readyz`);
  await fetch(`${server.url}/api/x`);
  expect(await nextLine()).toMatchObject({ path: "/api/x" });
});
