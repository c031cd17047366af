import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { askReadiness } from "../src/upstream-readiness.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Starts a process of a service that answers `/readyz` with this status and body. */
async function startProcess(status: number, body: unknown): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const lacks = (checks: Readonly<Record<string, boolean>>) =>
  startProcess(503, {
    errors: [{ code: "SERVICE_UNAVAILABLE", message: "", details: { checks } }],
  });
const ready = () => startProcess(200, { data: { status: "ready", checks: { database: true } } });

const read = (...urls: readonly string[]) =>
  askReadiness({ dataApi: { urls, audience: "data-api" } }, { introduce: async () => "word" })();

it("names what the processes of a service lack, and not the service", async () => {
  expect(await read(await lacks({ database: false, queue: true }))).toEqual({
    "dataApi.database": false,
  });
  expect(await read(await lacks({ database: false }), await lacks({ pooler: false }))).toEqual({
    "dataApi.database": false,
    "dataApi.pooler": false,
  });
});

it("a service is ready if one of its processes is", async () => {
  expect(await read(await lacks({ database: false }), await ready())).toEqual({ dataApi: true });
});

it("names the service if its processes are away or answer otherwise", async () => {
  for (const url of [
    "http://127.0.0.1:1",
    await startProcess(503, "busy"),
    await startProcess(503, { errors: [] }),
    await startProcess(503, { errors: [{ details: { checks: "none" } }] }),
    await startProcess(401, { errors: [{ code: "AUTHENTICATION_REQUIRED", message: "no" }] }),
  ]) {
    expect(await read(url)).toEqual({ dataApi: false });
  }
});
