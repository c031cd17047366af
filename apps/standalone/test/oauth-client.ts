import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Client,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import * as oidc from "openid-client";
import { type Answer, publicUrl, type TestEnvironment } from "./test-environment.ts";

/** A server of client documents on this machine. */
export interface ClientHost {
  readonly host: string;
  /** The address of a document, which is the id of its client. */
  readonly idOf: (name: string) => string;
  /** Changes or adds a document. */
  readonly put: (name: string, document: object | string, type?: string) => void;
  /** The paths that were requested. */
  readonly asked: string[];
  stop(): Promise<void>;
}

export const redirectUri = "http://127.0.0.1:4711/callback";

export async function startClientHost(): Promise<ClientHost> {
  const documents = new Map<string, { text: string; type: string }>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const found = documents.get(request.url ?? "");
    if (found === undefined) response.writeHead(302, { Location: "/agent" }).end();
    else response.writeHead(200, { "Content-Type": found.type }).end(found.text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const idOf = (name: string) => `http://${host}/${name}`;
  const put: ClientHost["put"] = (name, document, type = "application/json") => {
    const text = typeof document === "string" ? document : JSON.stringify(document);
    documents.set(`/${name}`, { text, type });
  };
  put("agent", {
    client_id: idOf("agent"),
    client_name: "Agent",
    client_uri: "https://agent.example/",
    redirect_uris: ["http://127.0.0.1/callback", "https://agent.example/callback"],
    token_endpoint_auth_method: "none",
  });
  return {
    host,
    idOf,
    put,
    asked,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Sends the requests of `openid-client` to the installation. */
function fetchOf(environment: Pick<TestEnvironment, "ask">): oidc.CustomFetch {
  return async (url, { method, headers, body }) => {
    const { "content-type": type, ...others } = Object.fromEntries(new Headers(headers));
    const answer = await environment.ask(method, url.slice(publicUrl.length), {
      // `ask` states a type under this name.
      headers: { ...others, ...(type === undefined ? {} : { "Content-Type": type }) },
      ...(body == null ? {} : { raw: String(body) }),
    });
    return new Response(answer.text === "" ? null : answer.text, {
      status: answer.status,
      headers: answer.headers,
    });
  };
}

/** Discovers the authorization server as `openid-client` does for a public client. */
export function discover(
  environment: Pick<TestEnvironment, "ask">,
  clientId: string,
): Promise<oidc.Configuration> {
  return oidc.discovery(new URL(publicUrl), clientId, undefined, oidc.None(), {
    algorithm: "oauth2",
    [oidc.customFetch]: fetchOf(environment),
  });
}

/** A request of a client, as the consent page gets it. */
export interface Asked {
  readonly url: URL;
  readonly verifier: string;
  readonly state: string;
  /** The body of the consent routes. */
  readonly request: { readonly codeChallenge?: string } & Readonly<Record<string, string>>;
}

export async function askFor(
  config: oidc.Configuration,
  changes: Readonly<Record<string, string | undefined>> = {},
): Promise<Asked> {
  const verifier = oidc.randomPKCECodeVerifier();
  const state = oidc.randomState();
  const parameters = {
    redirect_uri: redirectUri,
    scope: "read write",
    state,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    resource: `${publicUrl}/mcp`,
    ...changes,
  };
  const sent = Object.entries(parameters).filter((entry) => entry[1] !== undefined);
  const url = oidc.buildAuthorizationUrl(config, Object.fromEntries(sent) as typeof parameters);
  return { url, verifier, state, request: requestIn(url) };
}

/** The parameters of an authorization request, as the consent page sends them on. */
function requestIn({ searchParams }: URL): Asked["request"] {
  const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries([...searchParams].map(([name, value]) => [camel(name), value]));
}

/** The consent of a person, as the page sends it. */
export function decide(
  environment: TestEnvironment,
  { request }: Pick<Asked, "request">,
  decision: object = {},
  as = environment.member.secret,
): Promise<Answer> {
  const approval = { decision: "APPROVE", scopes: ["read"], name: `Agent ${serial()}`, days: 30 };
  return environment.ask("POST", "/api/auth/authorizations", {
    as,
    body: { ...request, ...approval, ...decision },
  });
}

let count = 0;
function serial(): number {
  count += 1;
  return count;
}

/** The official client of MCP with its own OAuth; `approve` is what a person does at the address that it opens. */
export async function connectOfficialClient(
  environment: Pick<TestEnvironment, "ask">,
  approve: (asked: Pick<Asked, "request">) => Promise<Answer>,
): Promise<Client> {
  const stored: {
    client?: StoredOAuthClientInformation;
    tokens?: StoredOAuthTokens;
    verifier?: string;
    asked?: URL;
  } = {};
  const authProvider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata: { client_name: "Official client", redirect_uris: [redirectUri] },
    clientInformation: () => stored.client,
    saveClientInformation: (client) => {
      stored.client = client;
    },
    tokens: () => stored.tokens,
    saveTokens: (tokens) => {
      stored.tokens = tokens;
    },
    redirectToAuthorization: (url) => {
      stored.asked = url;
    },
    saveCodeVerifier: (verifier) => {
      stored.verifier = verifier;
    },
    codeVerifier: () => stored.verifier ?? "",
  };
  const send = fetchOf(environment);
  const open = () =>
    new StreamableHTTPClientTransport(new URL(`${publicUrl}/mcp`), {
      authProvider,
      fetch: (url, init) =>
        send(String(url), {
          method: init?.method ?? "GET",
          headers: Object.fromEntries(new Headers(init?.headers)),
          body: init?.body as string | undefined,
        } as oidc.CustomFetchOptions),
    });
  const client = new Client({ name: "official", version: "1.0.0" });
  const first = open();
  await client.connect(first).catch((error: unknown) => {
    if (!(error instanceof UnauthorizedError)) throw error;
  });
  const { asked } = stored;
  if (asked === undefined) throw new Error("The client did not ask for a consent");
  const answer = await approve({ request: requestIn(asked) });
  await first.finishAuth(new URL(answer.body.data.redirectTo).searchParams);
  await client.connect(open());
  return client;
}
