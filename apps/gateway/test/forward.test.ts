import { createAssertionSigner } from "@rowhouse/http";
import { expect, test } from "vitest";
import { startEcho, startForwarding } from "./forwarding.ts";
import { secret } from "./test-environment.ts";

async function createPair() {
  const server = await startEcho("data-api");
  return { server, gateway: await startForwarding([server.url]) };
}

test("while a service is unavailable the response is 503 with Retry-After, and the gateway recovers by itself", async () => {
  const { server, gateway } = await createPair();
  expect((await fetch(`${gateway.url}/api/x`)).status).toBe(200);
  await server.stop();
  for (const method of ["GET", "POST"]) {
    const answer = await fetch(`${gateway.url}/api/x`, { method });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(await answer.json()).toMatchObject({ errors: [{ code: "SERVICE_UNAVAILABLE" }] });
  }
  const again = await startEcho("data-api", { port: server.port });
  expect((await fetch(`${gateway.url}/api/x`)).status).toBe(200);
  await gateway.stop();
  await again.stop();
});

test("a service called without the gateway returns 401", async () => {
  const { server, gateway } = await createPair();
  expect((await fetch(`${server.url}/api/x`)).status).toBe(401);
  await gateway.stop();
  await server.stop();
});

test("an assertion for one service is rejected by another", async () => {
  const { gateway, server } = await createPair();
  const assertion = await createAssertionSigner(secret)(
    { requestId: "r", clientAddress: "6.6.6.6" },
    "admin-api",
  );
  const answer = await fetch(`${server.url}/api/x`, {
    headers: { "X-Rowhouse-Assertion": assertion },
  });
  expect(answer.status).toBe(401);
  await gateway.stop();
  await server.stop();
});

test("hop-by-hop headers, headers listed in Connection, and the assertion are not forwarded", async () => {
  const { gateway, server } = await createPair();
  const { request } = await import("node:http");
  const body = await new Promise<string>((resolve, reject) => {
    request(`${gateway.url}/api/x`, {
      headers: { Connection: "keep-alive, X-Mine", "X-Mine": "1", "X-Other": "2", TE: "trailers" },
    })
      .on("response", (answer) => {
        let text = "";
        answer.on("data", (chunk) => {
          text += chunk;
        });
        answer.on("end", () => resolve(text));
      })
      .on("error", reject)
      .end();
  });
  const { headers } = (JSON.parse(body) as { data: { headers: Record<string, string> } }).data;
  expect(Object.keys(headers).sort()).toEqual(["connection", "host", "x-other", "x-request-id"]);
  expect(headers.host).toBe(new URL(gateway.url).host);
  await gateway.stop();
  await server.stop();
});
