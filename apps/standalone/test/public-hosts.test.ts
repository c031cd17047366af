// Tiers: usual, topologies.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { signIn, startTestEnvironment, type TestEnvironment } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient } from "./client.ts";

// An administrator lists the public hosts that workflows may call.

let installation: TestEnvironment;
let server: Server;
let port = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    const away = request.url === "/away";
    response.writeHead(away ? 302 : 200, away ? { location: "http://elsewhere.example/" } : {});
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
  installation = await startTestEnvironment();
}, 180_000);
afterAll(async () => {
  await installation.stop();
  await new Promise((resolve) => server.close(resolve));
});

it("a workflow calls only listed hosts, also after a redirect, from the change of the setting on", async () => {
  const { ask, signIn: enter } = createClient(installation);
  const as = await enter(signIn);
  const call = async (method: string, path: string, data?: object) => {
    const answer = await ask(method, `/admin/api${path}`, { as, ...(data && { body: { data } }) });
    expect([method, path, answer.status < 300 || answer.body]).toEqual([method, path, true]);
    return answer.body?.data;
  };
  const { id } = await call("POST", "/workflows", {
    slug: "call",
    name: "Call",
    definition: {
      trigger: { kind: "webhook", access: "AUTHENTICATED" },
      steps: [{ id: "call", kind: "httpRequest", method: "GET", url: "{{start.data.body.url}}" }],
    },
  });
  await call("POST", `/workflows/${id}/publish`);
  await call("POST", `/workflows/${id}/enable`);
  const [role] = await call("GET", "/roles?search=Administrators");
  await call("POST", `/workflows/${id}/invoke-grants`, { roleId: role.id });
  const outcomeOf = async (address: string): Promise<string> => {
    const body = { url: address };
    const answer = await ask("POST", "/api/workflows/call/webhook", { as, body });
    const { status, error } = answer.body.data;
    return error?.code ?? status;
  };
  const here = `http://127.0.0.1:${port}`;
  await call("PATCH", "/settings", {
    "workflows.allowed_hosts": [`127.0.0.1:${port}`],
    "workflows.public_hosts": ["*.partner.example", "127.0.0.1"],
  });
  expect(await outcomeOf("http://other.example/")).toBe("HTTP_HOST_REFUSED");
  expect(await outcomeOf("http://partner.example.evil.example/")).toBe("HTTP_HOST_REFUSED");
  // Private hosts have their own list; the list of public hosts does not allow them.
  expect(await outcomeOf(`${here}/`)).toBe("SUCCEEDED");
  expect(await outcomeOf("http://127.0.0.1:1/")).toBe("HTTP_ADDRESS_REFUSED");
  expect(await outcomeOf(`${here}/away`)).toBe("HTTP_HOST_REFUSED");
  await call("PATCH", "/settings", { "workflows.public_hosts": null });
  expect(await outcomeOf("http://other.localhost/")).toBe("HTTP_ADDRESS_REFUSED");
}, 180_000);
