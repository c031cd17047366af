import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  dynamicClientRegistration,
  None,
  randomPKCECodeVerifier,
  type TokenEndpointResponse,
} from "openid-client";

/** A program on this device that asks a person for access by OAuth 2.1, with `openid-client`. */
export interface Program {
  readonly configuration: Configuration;
  readonly clientId: string;
  /** The origin of the page that the person comes back to. */
  readonly origin: string;
  readonly redirectUri: string;
  /** The addresses at which persons have come back. */
  readonly answers: readonly URL[];
  /** The address that the person opens. */
  ask(parameters?: Readonly<Record<string, string>>): Promise<URL>;
  /** Exchanges the code of the last answer. */
  exchange(): Promise<TokenEndpointResponse>;
  stop(): Promise<void>;
}

interface ProgramOptions {
  readonly name: string;
  /** The path to which the person comes back. */
  readonly path?: string;
}

/** Starts a program, which registers itself at a service. */
export async function startProgram(url: string, options: ProgramOptions): Promise<Program> {
  const { name, path = "/back" } = options;
  const answers: URL[] = [];
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? "/", origin);
    if (address.pathname === path) answers.push(address);
    response
      .setHeader("Content-Type", "text/html")
      .end("<!doctype html><title>Program</title>Done");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const redirectUri = `${origin}${path}`;
  const configuration = await dynamicClientRegistration(
    new URL(url),
    { client_name: name, redirect_uris: [redirectUri], token_endpoint_auth_method: "none" },
    None(),
    { algorithm: "oauth2", execute: [allowInsecureRequests] },
  );
  const verifier = randomPKCECodeVerifier();
  let sent = new URLSearchParams();
  return {
    configuration,
    clientId: configuration.clientMetadata().client_id,
    origin,
    redirectUri,
    answers,
    ask: async (parameters = {}) => {
      const address = buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: "read write workflows",
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        resource: `${url}/mcp`,
        state: "of this test",
        ...parameters,
      });
      sent = address.searchParams;
      return address;
    },
    exchange: () =>
      authorizationCodeGrant(
        configuration,
        answers.at(-1) ?? new URL(redirectUri),
        { pkceCodeVerifier: verifier, expectedState: sent.get("state") ?? "" },
        { resource: `${url}/mcp` },
      ),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
