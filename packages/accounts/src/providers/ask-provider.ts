import { withoutTrailingSlashes } from "@rowhouse/settings";
import { isStorableText } from "@rowhouse/wire";
import type { JSONWebKeySet } from "jose";
import { LRUCache } from "lru-cache";
import * as oidc from "openid-client";
import { z } from "zod";
import { mayBeAddress } from "../address.ts";
import { isLoopback, knownIssuers, type UsableProvider } from "./provider.ts";
import { openSigningKeys, type SigningKeys } from "./signing-keys.ts";

/** The identity that a provider reports for a user. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** Null unless the provider has verified it. */
  readonly email: string | null;
  readonly name: string;
  /** The Workspace domain that manages a Google account: null for a consumer account, undefined elsewhere. */
  readonly hostedDomain: string | null | undefined;
}

/** The secrets of a flow between the redirect to the provider and the callback. */
export interface FlowSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** A client for providers. Caches their metadata and keys. */
export interface ProviderClient {
  /** The URL that the browser is redirected to. */
  authorizationUrl(provider: UsableProvider, redirectUri: string, flow: FlowSecrets): Promise<URL>;
  /**
   * Exchanges the callback for the user's identity.
   *
   * @throws if the callback does not match the flow, or fails verification against the provider's keys and issuer
   */
  identify(provider: UsableProvider, callback: URL, flow: FlowSecrets): Promise<ProviderIdentity>;
}

const timeoutS = 10;
const keepMs = 10 * 60_000;
const keptMax = 100;

/** Tolerated clock difference to a provider, in seconds. */
const skewS = 60;

export interface ProviderClientOptions {
  /** Sends every request to a provider: metadata, keys, tokens, user info. It decides which addresses are allowed. */
  readonly fetch: oidc.CustomFetch;
  /** The clock, in milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** Creates one client for all providers. A provider that takes longer than ten seconds fails the sign-in. */
export function createProviderClient({
  fetch,
  now = Date.now,
}: ProviderClientOptions): ProviderClient {
  const known = new LRUCache<
    string,
    {
      readonly config: Promise<oidc.Configuration>;
      readonly keys: SigningKeys;
      readonly until: number;
    }
  >({ max: keptMax });

  const configure = (provider: UsableProvider) => {
    const found = known.get(provider.revision);
    if (found !== undefined && found.until > now()) return found;
    const config =
      provider.kind === "github" ? configureGithub(provider, fetch) : discover(provider, fetch);
    const keys = openSigningKeys(async () => loadKeys(provider, await config, fetch), now);
    const configured = { config, keys, until: now() + keepMs };
    known.set(provider.revision, configured);
    // A failed discovery is not cached.
    config.catch(() => known.delete(provider.revision));
    return configured;
  };

  return {
    authorizationUrl: async (provider, redirectUri, flow) => {
      const isGithub = provider.kind === "github";
      const config = await configure(provider).config.catch((error) => {
        throw explainIssuer(provider, error);
      });
      return oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: isGithub ? "read:user user:email" : "openid email profile",
        state: flow.state,
        code_challenge: await oidc.calculatePKCECodeChallenge(flow.codeVerifier),
        code_challenge_method: "S256",
        ...(isGithub ? {} : { nonce: flow.nonce }),
      });
    },
    identify: async (provider, callback, flow) => {
      const { config, keys } = configure(provider);
      try {
        return provider.kind === "github"
          ? await identifyByGithub(provider, await config, callback, flow)
          : await identifyByToken(provider, await config, keys, callback, flow, now);
      } catch (error) {
        throw explainIssuer(provider, error);
      }
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
      execute: isLoopback(provider.issuer) ? [oidc.allowInsecureRequests] : [],
    },
  );
}

/** Requests the key set that the metadata name. */
async function loadKeys(
  provider: UsableProvider,
  config: oidc.Configuration,
  fetch: oidc.CustomFetch,
): Promise<JSONWebKeySet> {
  const { jwks_uri: url = "" } = config.serverMetadata();
  if (!url.startsWith("https://") && !isLoopback(provider.issuer)) {
    throw new Error("The provider's metadata name no https address of its keys");
  }
  const answer = await fetch(url, {
    method: "GET",
    headers: { accept: "application/json, application/jwk-set+json" },
    body: undefined,
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutS * 1000),
  });
  if (answer.status !== 200) throw new Error(`The provider's keys: status ${answer.status}`);
  return (await answer.json()) as JSONWebKeySet;
}

const optionalText = z.string().optional().catch(undefined);
// Some providers omit `email_verified`, and some send it as text.
const profile = z.object({
  email: optionalText,
  email_verified: z.unknown().optional(),
  name: optionalText,
  hd: optionalText,
});
/** OpenID Connect Core, section 2: at most 255 characters. An empty one would be shared by everybody. */
const subjectForm = z.string().trim().min(1).max(255);

async function identifyByToken(
  provider: UsableProvider,
  config: oidc.Configuration,
  keys: SigningKeys,
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
  if (claims === undefined || tokens.id_token === undefined) {
    throw new Error("The provider returned no id_token");
  }
  // openid-client trusts TLS and skips the signature.
  await keys.verify(tokens.id_token);
  if (!subjectForm.safeParse(claims.sub).success) {
    throw new Error("The id_token has no subject of 1 to 255 characters");
  }
  // openid-client validates `exp` and `nbf`, but only the type of `iat`.
  if (claims.iat > now() / 1000 + skewS) throw new Error("The id_token was issued in the future");
  // Many providers report the address only in the user info.
  const stated =
    claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
      ? await fetchUserInfo(provider, config, tokens.access_token, claims.sub)
      : claims;
  const { email, email_verified: stateOfAddress, name, hd } = profile.parse(stated);
  const isVerified = stateOfAddress === true || stateOfAddress === "true";
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: isVerified && email !== undefined && mayBeAddress(email) ? email : null,
    name: nameOf(name),
    hostedDomain: isGoogle(provider) ? (hd ?? null) : undefined,
  };
}

function isGoogle({ kind, issuer }: UsableProvider): boolean {
  return kind === "google" || withoutTrailingSlashes(issuer) === knownIssuers.google;
}

/** Reads the user info. A signed one is verified with keys that are loaded for it. */
async function fetchUserInfo(
  provider: UsableProvider,
  config: oidc.Configuration,
  accessToken: string,
  subject: string,
): Promise<oidc.UserInfoResponse> {
  const { [oidc.customFetch]: fetch } = config;
  const secret = oidc.ClientSecretBasic(provider.clientSecret);
  const verifying = configurationOf(provider, config.serverMetadata(), secret, fetch);
  oidc.enableNonRepudiationChecks(verifying);
  return oidc.fetchUserInfo(verifying, accessToken, subject);
}

/** The user's name at the provider; empty if PostgreSQL cannot store it. */
function nameOf(text: string | undefined): string {
  return text !== undefined && isStorableText(text) ? text : "";
}

/** Configures GitHub or GitHub Enterprise: OAuth 2 without OpenID Connect. */
async function configureGithub(
  provider: UsableProvider,
  fetch: oidc.CustomFetch,
): Promise<oidc.Configuration> {
  const base = withoutTrailingSlashes(provider.issuer);
  const metadata = {
    issuer: provider.issuer,
    authorization_endpoint: `${base}/login/oauth/authorize`,
    token_endpoint: `${base}/login/oauth/access_token`,
  };
  const secret = oidc.ClientSecretPost(provider.clientSecret);
  return configurationOf(provider, metadata, secret, fetch);
}

/** Returns a configuration that asks no server for its metadata. */
function configurationOf(
  { clientId, issuer }: UsableProvider,
  metadata: oidc.ServerMetadata,
  secret: oidc.ClientAuth,
  fetch: oidc.CustomFetch | undefined,
): oidc.Configuration {
  const config = new oidc.Configuration(metadata, clientId, undefined, secret);
  config.timeout = timeoutS;
  if (fetch !== undefined) config[oidc.customFetch] = fetch;
  if (isLoopback(issuer)) oidc.allowInsecureRequests(config);
  return config;
}

const githubUser = z.object({
  id: z.int().positive(),
  login: z.string(),
  name: z.string().nullish(),
});
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
  const base = withoutTrailingSlashes(provider.issuer);
  const api = base === "https://github.com" ? "https://api.github.com" : `${base}/api/v3`;
  const ask = async (path: string): Promise<unknown> => {
    const headers = new Headers({ Accept: "application/vnd.github+json" });
    const url = new URL(`${api}${path}`);
    const token = tokens.access_token;
    const answer = await oidc.fetchProtectedResource(config, token, url, "GET", undefined, headers);
    if (!answer.ok) throw new Error(`GitHub responded with ${answer.status}`);
    return answer.json();
  };
  const user = githubUser.parse(await ask("/user"));
  const emails = githubEmails.parse(await ask("/user/emails"));
  return {
    issuer: provider.issuer,
    // A login may pass to another user; the number never does.
    subject: String(user.id),
    email: emails.find((entry) => entry.primary && entry.verified)?.email ?? null,
    name: user.name ?? user.login,
    hostedDomain: undefined,
  };
}

/**
 * Returns the error of a sign-in for the operator. If the provider names another issuer than its record, in its
 * metadata, its callback or its id_token, a sentence says so; the causes of `openid-client` are no errors, and no log
 * has them.
 */
function explainIssuer({ key, issuer }: UsableProvider, error: unknown): unknown {
  const stated = statedIssuer(error);
  if (stated === undefined) return error;
  const [place, name] = stated;
  const shown = JSON.stringify(name)?.slice(0, shownMax);
  return new Error(
    `The provider ${key} has the issuer ${issuer}, but ${place} ${shown}: check which of them is right`,
    { cause: error },
  );
}

/** Maximum characters of an issuer in a message. */
const shownMax = 300;

function statedIssuer(error: unknown, depth = 0): readonly [string, unknown] | undefined {
  if (!(error instanceof Error) || depth > 4) return undefined;
  const { cause } = error;
  if (typeof cause !== "object" || cause === null) return undefined;
  if ("attribute" in cause && cause.attribute === "issuer" && "body" in cause) {
    return ["its metadata name", memberOf(cause.body, "issuer")];
  }
  if ("claim" in cause && cause.claim === "iss" && "claims" in cause) {
    return ["its id_token names", memberOf(cause.claims, "iss")];
  }
  if ("parameters" in cause && error.message.includes('"iss"')) {
    const { parameters } = cause;
    const value = parameters instanceof URLSearchParams ? parameters.get("iss") : undefined;
    return ["its callback names", value];
  }
  return statedIssuer(cause, depth + 1);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
