import { isStorableText } from "@rowhouse/json";
import * as oidc from "openid-client";
import { z } from "zod";
import { mayBeAddress } from "../address.ts";
import { isLoopback, type UsableProvider } from "./provider.ts";

/** What a provider says of whoever signed in there. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** Null unless the provider itself has verified it. */
  readonly email: string | null;
  readonly name: string;
}

/** What a flow keeps between going to the provider and coming back. */
export interface FlowSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Speaks with providers. Their metadata and keys are kept for a while. */
export interface ProviderClient {
  /** Where the browser goes. */
  authorizationUrl(provider: UsableProvider, redirectUri: string, flow: FlowSecrets): Promise<URL>;
  /**
   * Who came back.
   *
   * @throws for anything that is not as the flow began, or not as the provider's keys and issuer say
   */
  identify(provider: UsableProvider, callback: URL, flow: FlowSecrets): Promise<ProviderIdentity>;
}

const timeoutS = 10;
const keepMs = 10 * 60_000;
const keptMax = 100;

/** How far a provider's clock may be ahead. */
const skewS = 60;

export interface ProviderClientOptions {
  /** Sends each request to a provider: metadata, keys, tokens, user info. It decides which addresses may be called. */
  readonly fetch: oidc.CustomFetch;
  /** The clock, in milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** A client for all providers; each answers within ten seconds, or the sign-in fails. */
export function createProviderClient({
  fetch,
  now = Date.now,
}: ProviderClientOptions): ProviderClient {
  const known = new Map<
    string,
    { readonly config: Promise<oidc.Configuration>; readonly until: number }
  >();

  const configure = (provider: UsableProvider): Promise<oidc.Configuration> => {
    const found = known.get(provider.revision);
    if (found !== undefined && found.until > now()) return found.config;
    if (known.size >= keptMax) known.clear();
    const config =
      provider.kind === "github" ? configureGithub(provider, fetch) : discover(provider, fetch);
    known.set(provider.revision, { config, until: now() + keepMs });
    // What failed once is asked again.
    config.catch(() => known.delete(provider.revision));
    return config;
  };

  return {
    authorizationUrl: async (provider, redirectUri, flow) => {
      const isGithub = provider.kind === "github";
      return oidc.buildAuthorizationUrl(await configure(provider), {
        redirect_uri: redirectUri,
        scope: isGithub ? "read:user user:email" : "openid email profile",
        state: flow.state,
        code_challenge: await oidc.calculatePKCECodeChallenge(flow.codeVerifier),
        code_challenge_method: "S256",
        ...(isGithub ? {} : { nonce: flow.nonce }),
      });
    },
    identify: async (provider, callback, flow) => {
      const config = await configure(provider);
      return provider.kind === "github"
        ? identifyByGithub(provider, config, callback, flow)
        : identifyByToken(config, callback, flow, now);
    },
  };
}

async function discover(
  provider: UsableProvider,
  fetch: oidc.CustomFetch,
): Promise<oidc.Configuration> {
  return oidc.discovery(
    new URL(provider.issuer),
    provider.clientId,
    undefined,
    oidc.ClientSecretBasic(provider.clientSecret),
    {
      timeout: timeoutS,
      [oidc.customFetch]: fetch,
      execute: [
        // Without it the token's signature would not be looked at, because it came over TLS.
        oidc.enableNonRepudiationChecks,
        ...(isLoopback(provider.issuer) ? [oidc.allowInsecureRequests] : []),
      ],
    },
  );
}

const optionalText = z.string().optional().catch(undefined);
const profile = z.object({ email: optionalText, email_verified: z.unknown(), name: optionalText });

async function identifyByToken(
  config: oidc.Configuration,
  callback: URL,
  flow: FlowSecrets,
  now: () => number,
): Promise<ProviderIdentity> {
  const tokens = await oidc.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: flow.codeVerifier,
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new Error("The provider gave no id_token");
  // openid-client looks at `exp` and `nbf`, and of `iat` at its type alone.
  if (claims.iat > now() / 1000 + skewS) throw new Error("The id_token is from the future");
  // Many providers put the address into the user info alone.
  const stated =
    claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
      ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
      : claims;
  const { email, email_verified: verified, name } = profile.parse(stated);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: verified === true && email !== undefined && mayBeAddress(email) ? email : null,
    name: nameOf(name),
  };
}

/** What a provider calls a user, unless PostgreSQL cannot hold it. */
function nameOf(text: string | undefined): string {
  return text !== undefined && isStorableText(text) ? text : "";
}

/** GitHub and GitHub Enterprise: OAuth 2 without OpenID Connect. */
async function configureGithub(
  provider: UsableProvider,
  fetch: oidc.CustomFetch,
): Promise<oidc.Configuration> {
  const base = provider.issuer.replace(/\/+$/, "");
  const config = new oidc.Configuration(
    {
      issuer: provider.issuer,
      authorization_endpoint: `${base}/login/oauth/authorize`,
      token_endpoint: `${base}/login/oauth/access_token`,
    },
    provider.clientId,
    undefined,
    oidc.ClientSecretPost(provider.clientSecret),
  );
  config.timeout = timeoutS;
  config[oidc.customFetch] = fetch;
  if (isLoopback(provider.issuer)) oidc.allowInsecureRequests(config);
  return config;
}

const githubUser = z.object({ id: z.int(), login: z.string(), name: z.string().nullish() });
const githubEmails = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
);

async function identifyByGithub(
  provider: UsableProvider,
  config: oidc.Configuration,
  callback: URL,
  flow: FlowSecrets,
): Promise<ProviderIdentity> {
  const tokens = await oidc.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: flow.codeVerifier,
    expectedState: flow.state,
  });
  const base = provider.issuer.replace(/\/+$/, "");
  const api = base === "https://github.com" ? "https://api.github.com" : `${base}/api/v3`;
  const ask = async (path: string): Promise<unknown> => {
    const headers = new Headers({ Accept: "application/vnd.github+json" });
    const url = new URL(`${api}${path}`);
    const token = tokens.access_token;
    const answer = await oidc.fetchProtectedResource(config, token, url, "GET", undefined, headers);
    if (!answer.ok) throw new Error(`GitHub answered ${answer.status}`);
    return answer.json();
  };
  const user = githubUser.parse(await ask("/user"));
  const emails = githubEmails.parse(await ask("/user/emails"));
  return {
    issuer: provider.issuer,
    // The login may pass to somebody else; the number never does.
    subject: String(user.id),
    email: emails.find((entry) => entry.primary && entry.verified)?.email ?? null,
    name: user.name ?? user.login,
  };
}
