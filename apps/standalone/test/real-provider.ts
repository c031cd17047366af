import { createServer } from "node:http";
import { findFreePort } from "@rowhouse/testing";
import Provider from "oidc-provider";
import { clientId, clientSecret } from "./misbehaving-provider.ts";

export { clientId, clientSecret };

/** A real OpenID provider, which signs in every name. */
export interface RealProvider {
  readonly issuer: string;
  stop(): Promise<void>;
}

/** Starts the provider. The account `unverified` has an address that is not verified. */
export async function startRealProvider(redirectUris: string[]): Promise<RealProvider> {
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    cookies: { keys: ["a key of the tests' own"] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: `${id}@example.com`,
        email_verified: id !== "unverified",
        name: id === "ada" ? "Ada" : id,
      }),
    }),
  });
  const server = createServer(provider.callback());
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  return {
    issuer,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
