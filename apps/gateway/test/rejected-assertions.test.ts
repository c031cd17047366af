import { type AssertionSigner, createAssertionSigner } from "@rowhouse/http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createApp, forwardTo, serveGateway } from "../src/index.ts";
import { startEcho } from "./forwarding.ts";
import { plain, secret } from "./test-environment.ts";

// A process whose clock or secret differs from the gateway's does nothing for a request. No caller is to sign in again for it.

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

const other = "the secret of another installation....";
/** No probe finds the fault before the requests do. */
const probe = { everyMs: 600_000, timeoutMs: 5000 };

async function startGateway(urls: readonly string[], signAssertion: AssertionSigner) {
  const forward = forwardTo({
    urls,
    audience: "data-api",
    signAssertion,
    logger: plain.logger,
    probe,
  });
  const gateway = createApp({
    ...plain,
    bodyBytesMax: () => 1_000_000,
    dataApi: forward.upstream,
    adminApi: forward.upstream,
  });
  const server = await serveGateway(gateway, plain.logger, { port: 0, hostname: "127.0.0.1" });
  stops.push(
    () => forward.close(),
    () => server.stop(),
  );
  return server.url;
}
async function startService(...secrets: string[]) {
  const service = await startEcho("data-api", { secrets });
  stops.push(() => service.stop());
  return service.url;
}
/** A gateway whose clock is so many hours ahead. */
function signerAhead(hours: number): AssertionSigner {
  const signer = createAssertionSigner(secret);
  const then = Date.now() + hours * 3_600_000;
  const moved = async <Result>(sign: () => Promise<Result> | Result): Promise<Result> => {
    vi.useFakeTimers({ toFake: ["Date"], now: then });
    try {
      return await sign();
    } finally {
      vi.useRealTimers();
    }
  };
  return Object.assign((...parts: Parameters<AssertionSigner>) => moved(() => signer(...parts)), {
    introduce: (audience: string) => moved(() => signer.introduce(audience)),
  });
}

const large = "x".repeat(200_000);
const requests: readonly (readonly [string, RequestInit])[] = [
  ["/api/x", {}],
  ["/api/x", { method: "POST", body: "x" }],
  ["/api/x", { method: "DELETE" }],
  ["/api/x", { headers: { Origin: "https://page.example" } }],
];

describe("a process that rejects the assertions of the gateway", () => {
  it("costs no request while another accepts them", async () => {
    const urls = [await startService(other), await startService(secret)];
    const url = await startGateway(urls, createAssertionSigner(secret));
    for (let round = 0; round < 10; round += 1) {
      for (const [path, init] of requests) {
        const answer = await fetch(url + path, init);
        expect([round, init, answer.status]).toEqual([round, init, 200]);
        await answer.arrayBuffer();
      }
    }
  });

  it.each([
    ["with another secret", other, 0],
    ["whose clock is two hours behind", secret, 2],
    ["whose clock is two hours ahead", secret, -2],
  ])("is a 503 with Retry-After if there is no other: one %s", async (_name, accepted, hours) => {
    const url = await startGateway([await startService(accepted)], signerAhead(hours));
    for (const [path, init] of [...requests, ["/api/x", { method: "PUT", body: large }] as const]) {
      const answer = await fetch(url + path, init);
      expect([init.method, answer.status]).toEqual([init.method, 503]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(answer.headers.get("x-rowhouse-assertion")).toBeNull();
      expect(await answer.text()).toContain("SERVICE_UNAVAILABLE");
    }
  });

  it("is not confused with a service that requires a credential", async () => {
    const url = await startGateway([await startService(secret)], createAssertionSigner(secret));
    const answer = await fetch(`${url}/api/unauthenticated`);
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain("AUTHENTICATION_REQUIRED");
  });

  it("still answers 401 to a caller that reaches it without a gateway", async () => {
    const url = await startService(secret);
    for (const headers of [{}, { "x-rowhouse-assertion": "forged" }]) {
      expect((await fetch(`${url}/api/x`, { headers })).status).toBe(401);
    }
  });
});
