import { createServer } from "node:http";
import { findFreePort } from "@rowhouse/testing";
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";

/** The claims and the signature of the provider's next id_token. */
export interface Say {
  readonly issuer?: string;
  readonly audience?: string;
  readonly nonce?: string | null;
  /** Any value; `null` omits the claim. */
  readonly subject?: unknown;
  /** The `hd` of Google. */
  readonly hostedDomain?: string;
  readonly email?: string;
  /** `absent` omits the claim. */
  readonly emailVerified?: unknown;
  readonly signature?: "good" | "none" | "HS256 with the client's secret" | "another key";
  /** The key id in the header; that of the current key by default. */
  readonly keyId?: string;
  readonly expiresIn?: number;
  /** Seconds from now to its `iat`. */
  readonly issuedIn?: number;
}

/** An OpenID Connect provider with configurable responses, and a provider like GitHub. */
export interface MisbehavingProvider {
  readonly issuer: string;
  /** Sets the response to the next token request; `nonce` is the flow's unless given. */
  say(nonce: string, what: Say): void;
  /** The form of the last token request. */
  lastForm(): URLSearchParams;
  /** Overrides of its metadata. */
  metadata: Readonly<Record<string, string>>;
  /** Redirect target of its metadata, while set. */
  movedTo: string | undefined;
  /** Number of requests so far. */
  requests(): number;
  /** Number of requests for its keys so far. */
  keyRequests(): number;
  /** Replaces its signing key, by default under a new key id. */
  rotate(keyId?: string): Promise<void>;
  github: { id: number; emails: { email: string; primary: boolean; verified: boolean }[] };
  stop(): Promise<void>;
}

export const clientId = "rowhouse";
export const clientSecret = "a client secret that is long enough for HS256";

export async function startMisbehavingProvider(): Promise<MisbehavingProvider> {
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}`;
  const bad = await generateKeyPair("RS256");
  let [serial, keyRequests] = [0, 0];
  const createKey = async (keyId?: string) => {
    serial += 1;
    const kid = keyId ?? `k${serial}`;
    const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
    return {
      kid,
      privateKey,
      jwk: { ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" },
    };
  };
  let good = await createKey();
  let next: { nonce: string; what: Say } = { nonce: "", what: {} };
  let form = new URLSearchParams();
  let requests = 0;
  const github: MisbehavingProvider["github"] = { id: 7, emails: [] };

  const idToken = async (): Promise<string> => {
    const { nonce, what } = next;
    const claims = {
      email: what.email ?? "guest@example.com",
      ...(what.emailVerified === "absent"
        ? {}
        : { email_verified: what.emailVerified === undefined ? true : what.emailVerified }),
      name: "Guest",
      ...(what.subject === null ? {} : { sub: (what.subject ?? "guest") as string }),
      ...(what.hostedDomain === undefined ? {} : { hd: what.hostedDomain }),
      ...(what.nonce === null ? {} : { nonce: what.nonce ?? nonce }),
    };
    const now = Math.floor(Date.now() / 1000);
    const fill = <Token extends SignJWT | UnsecuredJWT>(token: Token): Token =>
      token
        .setIssuer(what.issuer ?? issuer)
        .setAudience(what.audience ?? clientId)
        .setIssuedAt(now + (what.issuedIn ?? 0))
        .setExpirationTime(now + (what.issuedIn ?? 0) + (what.expiresIn ?? 300)) as Token;
    if (what.signature === "none") return fill(new UnsecuredJWT(claims)).encode();
    const token = fill(new SignJWT(claims));
    if (what.signature === "HS256 with the client's secret") {
      return token
        .setProtectedHeader({ alg: "HS256" })
        .sign(new TextEncoder().encode(clientSecret));
    }
    const key = what.signature === "another key" ? bad.privateKey : good.privateKey;
    return token.setProtectedHeader({ alg: "RS256", kid: what.keyId ?? good.kid }).sign(key);
  };

  const answer = async (path: string): Promise<unknown> => {
    switch (path) {
      case "/.well-known/openid-configuration":
      // A request for the tenant's metadata gets those of another issuer.
      case "/tenant/.well-known/openid-configuration":
        return {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["RS256"],
          ...provider.metadata,
        };
      case "/jwks":
        keyRequests += 1;
        return { keys: [good.jwk] };
      case "/token":
        return { access_token: "at", token_type: "Bearer", id_token: await idToken() };
      case "/login/oauth/access_token":
        return { access_token: "gho", token_type: "bearer", scope: "user:email" };
      case "/api/v3/user":
        return { id: github.id, login: "octo", name: null };
      case "/api/v3/user/emails":
        return github.emails;
      default:
        return undefined;
    }
  };
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on("end", async () => {
      if (text !== "") form = new URLSearchParams(text);
      requests += 1;
      const path = (request.url ?? "").split("?")[0] ?? "";
      if (provider.movedTo !== undefined && path.startsWith("/.well-known/")) {
        response.writeHead(302, { Location: `${provider.movedTo}${path}` }).end();
        return;
      }
      const body = await answer(path);
      response.writeHead(body === undefined ? 404 : 200, { "Content-Type": "application/json" });
      response.end(JSON.stringify(body ?? {}));
    });
  });
  const provider: MisbehavingProvider = {
    issuer,
    say: (nonce, what) => {
      next = { nonce, what };
    },
    lastForm: () => form,
    metadata: {},
    movedTo: undefined,
    requests: () => requests,
    keyRequests: () => keyRequests,
    rotate: async (keyId) => {
      good = await createKey(keyId);
    },
    github,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return provider;
}
