import { createSecret, digestSecret, type Principal, parseLinkSecret } from "@rowhouse/access";
import { appendAuditEntry, type Database, type Snapshot, toAppError } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { allowedReturnAddress, withoutTrailingSlashes } from "@rowhouse/settings";
import type { Vault } from "@rowhouse/vault";
import * as oidc from "openid-client";
import { linkRefused } from "../links.ts";
import { openSession } from "../open-session.ts";
import { auditActorOf, type Origin } from "../origin.ts";
import { requireRecentSignIn } from "../require-recent-sign-in.ts";
import { maySignInSql, type SignedIn, type UserSummary } from "../sign-in.ts";
import { admitIdentity, linkIdentity, type Refusal } from "./admit-identity.ts";
import type { FlowSecrets, ProviderClient, ProviderIdentity } from "./ask-provider.ts";
import { type Provider, requireProvider } from "./provider.ts";
import { normalizeReturnPath } from "./return-path.ts";
import { challengeOf, digestOfCode } from "./sign-in-code.ts";

export interface ProviderDependencies {
  readonly database: Database;
  readonly vault: Vault;
  readonly client: ProviderClient;
  /** `system.public_url`, or its fallback; redirects are built from it. */
  readonly publicUrl: () => Promise<string | null>;
  /** The setting `auth.return_addresses`. */
  readonly returnAddresses: () => Promise<readonly string[]>;
  /** Receives the reason why a provider or its response was refused. The user does not see it. */
  readonly report: (error: unknown) => void;
  /** Called for each callback of a provider that is refused. */
  readonly onRefused?: (() => void) | undefined;
}

/**
 * A started flow: the URL that the browser is redirected to, and the secret of the cookie that identifies the browser
 * at the callback.
 */
export interface BegunFlow {
  readonly url: string;
  readonly browserSecret: string;
  /** Whether the cookie requires https. */
  readonly secure: boolean;
}

const flowMinutes = 10;

/** Where a sign-in ends. */
export interface SignInReturn {
  /** A path of this installation, from `normalizeReturnPath`, or an address from `requireReturnAddress`. */
  readonly to: string | null;
  /**
   * The challenge of the front end at that address (S256 of RFC 7636): its code is worthless without the verifier. A page of
   * this service has none.
   */
  readonly codeChallenge: string | null;
}

/**
 * Starts a sign-in through a provider.
 *
 * @throws AppError NOT_FOUND for a missing provider; SERVICE_UNAVAILABLE if it is unreachable or no public URL is set
 */
export function beginSignIn(
  dependencies: ProviderDependencies,
  key: string,
  returns: SignInReturn,
): Promise<BegunFlow> {
  return beginFlow(dependencies, key, null, returns);
}

/**
 * Starts linking an account at a provider to one's own account.
 *
 * @throws AppError as `beginSignIn`; SESSION_REQUIRED, RECENT_SIGN_IN_REQUIRED
 */
export async function beginLinking(
  dependencies: ProviderDependencies,
  key: string,
  principal: Pick<Principal, "userId" | "session">,
): Promise<BegunFlow> {
  const session = await requireRecentSignIn(dependencies.database, principal);
  const linkFor = { userId: principal.userId, sessionId: session.id };
  return beginFlow(dependencies, key, linkFor, { to: null, codeChallenge: null });
}

async function beginFlow(
  dependencies: ProviderDependencies,
  key: string,
  linkFor: { readonly userId: string; readonly sessionId: string } | null,
  { to: returnTo, codeChallenge }: SignInReturn,
): Promise<BegunFlow> {
  const { database, vault, client } = dependencies;
  const provider = await requireProvider(dependencies, key);
  const base = await requireBase(dependencies);
  const flow: FlowSecrets = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    codeVerifier: oidc.randomPKCECodeVerifier(),
  };
  const browserSecret = createSecret("LINK");
  let url: URL;
  try {
    url = await client.authorizationUrl(provider, redirectUriOf(base, key), flow);
  } catch (error) {
    dependencies.report(error);
    throw createError("SERVICE_UNAVAILABLE", { cause: error, headers: { "Retry-After": "10" } });
  }
  const stateDigest = digestSecret(flow.state);
  await database.query(
    `insert into system.provider_flows (state_digest, browser_digest, provider_id, sealed, user_id, session_id, return_to, expires_at)
     values ($1::text::bytea, $2::text::bytea, $3::text::uuid, $4::text, $5::text::uuid, $7::text::uuid, $6::text,
             system.clock() + interval '${flowMinutes} minutes')`,
    [
      stateDigest,
      digestSecret(browserSecret),
      provider.id,
      await vault.seal(JSON.stringify({ ...flow, codeChallenge }), stateDigest),
      linkFor?.userId ?? null,
      returnTo,
      linkFor?.sessionId ?? null,
    ],
  );
  return { url: url.href, browserSecret, secure: base.startsWith("https://") };
}

/**
 * Finishes a flow. Returns the URL of the admin page for the browser, with a code that the page exchanges for a
 * session, or with the reason for a refusal.
 *
 * @param search the query of the callback, as received
 * @throws AppError NOT_FOUND for a missing provider, and database errors (`refusedPage` returns a page for them)
 */
export async function finishProviderFlow(
  dependencies: ProviderDependencies,
  key: string,
  search: string,
  browserSecret: string | undefined,
  origin: Origin,
): Promise<string> {
  const provider = await requireProvider(dependencies, key);
  const base = await requireBase(dependencies);
  const flow = await takeFlow(dependencies, provider, search, browserSecret);
  const address = flow === undefined ? undefined : await addressOf(dependencies, flow);
  // Without the address, which may have been removed from the setting, no page can use the code.
  if (flow === undefined || (flow.codeChallenge !== null && address === undefined)) {
    return pageOf(base, { error: "expired" satisfies Refusal });
  }
  const page = (parameters: Record<string, string>) =>
    address === undefined ? pageOf(base, parameters) : withFragment(address, parameters);
  if (new URLSearchParams(search).get("error") === "access_denied") {
    return page({ error: "canceled" satisfies Refusal });
  }
  const refuse = async (refusal: Refusal, userId: string | null): Promise<string> => {
    dependencies.onRefused?.();
    await appendAuditEntry(dependencies.database, auditActorOf(null, origin), {
      action: "session.create",
      targetKind: "user",
      targetId: userId,
      outcome: "FAILED",
    });
    return page({ error: refusal });
  };
  let identity: ProviderIdentity;
  try {
    const callback = new URL(`${redirectUriOf(base, key)}${search}`);
    identity = await dependencies.client.identify(provider, callback, flow.secrets);
  } catch (error) {
    dependencies.report(error);
    return refuse("provider_failed", null);
  }
  try {
    const outcome = await dependencies.database.transaction((transaction) =>
      flow.userId === null
        ? admitIdentity(transaction, provider, identity, {
            origin,
            codeChallenge: flow.codeChallenge,
          })
        : linkIdentity(transaction, flow.userId, identity, origin),
    );
    if ("refusal" in outcome) return refuse(outcome.refusal, outcome.userId);
    const path = flow.returnTo === null ? undefined : normalizeReturnPath(flow.returnTo);
    const returnTo: Record<string, string> = path === undefined ? {} : { return_to: path };
    return "linked" in outcome
      ? page({ linked: key, ...returnTo })
      : page({ code: outcome.code, ...returnTo });
  } catch (error) {
    throw toAppError(error);
  }
}

/**
 * The page for a browser whose flow ended with an error. A browser gets a page, never JSON.
 *
 * @param status of the error
 * @param asked where the flow was asked to end
 */
export async function refusedPage(
  dependencies: Pick<ProviderDependencies, "publicUrl" | "returnAddresses">,
  status: number,
  asked = "",
): Promise<string> {
  const allowed = await dependencies.returnAddresses().catch(() => []);
  const address = allowedReturnAddress(allowed, asked);
  if (address !== undefined) return withFragment(address, { error: refusalOf(status) });
  // Relative if the public URL cannot be read: the browser is at this installation.
  const base = await dependencies.publicUrl().catch(() => null);
  return pageOf(withoutTrailingSlashes(base ?? ""), { error: refusalOf(status) });
}

function refusalOf(status: number): Refusal {
  if (status === 404) return "unknown_provider";
  if (status === 429) return "rate_limited";
  return status >= 500 ? "unavailable" : "provider_failed";
}

function pageOf(base: string, parameters: Record<string, string>): string {
  return withFragment(`${base}/admin/auth/complete`, parameters);
}

/** The code is a secret, and a browser sends no fragment. */
function withFragment(page: string, parameters: Record<string, string>): string {
  return `${page}#${new URLSearchParams(parameters)}`;
}

/** The page of another front end at which a flow ends; undefined without one, and if it is no longer allowed. */
async function addressOf(
  { returnAddresses }: ProviderDependencies,
  { returnTo, codeChallenge }: TakenFlow,
): Promise<string | undefined> {
  if (returnTo === null || codeChallenge === null) return undefined;
  return allowedReturnAddress(await returnAddresses(), returnTo);
}

/**
 * Exchanges the code of a finished flow, or of the link that the first start prints, for a session. A code works once.
 * A `codeVerifier` belongs to the code of a flow that began with its challenge.
 *
 * @throws AppError BODY_INVALID for a code that cannot be used
 */
export async function exchangeSignInCode(
  database: Database,
  snapshot: Snapshot,
  { code, codeVerifier }: { readonly code: string; readonly codeVerifier?: string | undefined },
  origin: Origin,
): Promise<SignedIn> {
  if (parseLinkSecret(code) === undefined) throw linkRefused("/code");
  const digest = digestOfCode(code, codeVerifier === undefined ? null : challengeOf(codeVerifier));
  try {
    return await database.transaction(async (transaction) => {
      const [row] = await transaction.query<UserSummary & { provider_key: string | null }>(
        `delete from system.sign_in_codes c using system.users u
         where c.digest = $1::text::bytea and c.expires_at > system.clock() and u.id = c.user_id and ${maySignInSql}
         returning u.id, u.email, u.name, c.provider_key`,
        [digest],
      );
      if (row === undefined) throw linkRefused("/code");
      const { id, email, name, provider_key: key } = row;
      const method = key === null ? "link" : (`provider:${key}` as const);
      const token = await openSession(transaction, snapshot, id, method, origin);
      return { token, user: { id, email, name } };
    });
  } catch (error) {
    throw toAppError(error);
  }
}

interface TakenFlow {
  readonly secrets: FlowSecrets;
  readonly userId: string | null;
  readonly returnTo: string | null;
  readonly codeChallenge: string | null;
}

/** Consumes the flow of a callback, which must belong to this provider and this browser. */
async function takeFlow(
  { database, vault }: ProviderDependencies,
  provider: Provider,
  search: string,
  browserSecret: string | undefined,
): Promise<TakenFlow | undefined> {
  const states = new URLSearchParams(search).getAll("state");
  const [state] = states;
  if (state === undefined || states.length > 1 || browserSecret === undefined) return undefined;
  const browserDigest = parseLinkSecret(browserSecret);
  if (browserDigest === undefined) return undefined;
  const stateDigest = digestSecret(state);
  const [row] = await database.query<{
    sealed: string;
    user_id: string | null;
    return_to: string | null;
  }>(
    `delete from system.provider_flows where state_digest = $1::text::bytea and browser_digest = $2::text::bytea
       and provider_id = $3::text::uuid and expires_at > system.clock()
     returning sealed, user_id, return_to`,
    [stateDigest, browserDigest, provider.id],
  );
  if (row === undefined) return undefined;
  // A flow that another release has begun has no challenge.
  const { codeChallenge = null, ...secrets } = JSON.parse(
    await vault.open(row.sealed, stateDigest),
  ) as FlowSecrets & { readonly codeChallenge?: string | null };
  return { secrets, userId: row.user_id, returnTo: row.return_to, codeChallenge };
}

async function requireBase({ publicUrl }: ProviderDependencies): Promise<string> {
  const base = await publicUrl();
  if (base === null) {
    throw createError("SERVICE_UNAVAILABLE", { message: "system.public_url is not set" });
  }
  return withoutTrailingSlashes(base);
}

function redirectUriOf(base: string, key: string): string {
  return `${base}/api/auth/oauth/${key}/callback`;
}
