import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createProviderClient } from "../src/index.ts";

// The operator reads in the log which issuer a provider has named; its user is sent to a page that names none.

let issuer: string;
let named: string;
const server = createServer((request, response) => {
  const isMetadata = request.url?.startsWith("/.well-known/") === true;
  const token = [
    { alg: "RS256" },
    { iss: named, aud: "c", sub: "s", nonce: "n", iat: 1, exp: 2e9 },
    "sig",
  ];
  const encoded = token.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const body = isMetadata
    ? {
        issuer: named === "its metadata" ? "https://other.example/\u001b[2J" : issuer,
        ...{ authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t` },
        ...{ jwks_uri: `${issuer}/k`, authorization_response_iss_parameter_supported: true },
      }
    : { access_token: "at", token_type: "Bearer", id_token: encoded.join(".") };
  response.setHeader("Content-Type", "application/json").end(JSON.stringify(body));
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const provider = (revision: string) => ({
  ...({
    id: "",
    key: "house",
    kind: "oidc",
    name: "",
    issuer,
    clientId: "c",
    clientSecret: "s",
  } as const),
  ...{ allowedDomains: [], roleId: null, enabled: true, createdAt: "", revision },
});
const flow = { state: "s", nonce: "n", codeVerifier: "v".repeat(43) };

it.each([
  ["its metadata", 'its metadata name "https://other.example/\\u001b[2J"'],
  ["https://evil.example", 'its id_token names "https://evil.example"'],
  ["its callback", 'its callback names "https://mixed-up.example"'],
])("a provider whose issuer differs in %s is named with both issuers", async (place, told) => {
  named = place;
  const client = createProviderClient({ fetch: (url, init) => fetch(url, init as RequestInit) });
  const stated = place === "its callback" ? "https://mixed-up.example" : issuer;
  const callback = new URL(`https://here.example/callback?code=c&state=s&iss=${stated}`);
  const error = await client.identify(provider(place), callback, flow).catch((cause) => cause);
  expect(error.message).toContain(`The provider house has the issuer ${issuer}, but ${told}`);
  expect(error.message).not.toContain("\u001b");
  if (place !== "its metadata") return;
  await expect(
    client.authorizationUrl(provider("again"), "https://here.example", flow),
  ).rejects.toThrow(told);
});
