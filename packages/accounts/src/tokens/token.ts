import type { Plane } from "@rowhouse/access";
import { requireFound, type Transaction } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";

/** The state of a token. */
export type TokenState = "active" | "deactivated" | "expired" | "revoked";

/** A personal access token, without its secret. */
export interface Token {
  readonly id: string;
  readonly userId: string;
  readonly owner: { readonly email: string; readonly name: string; readonly active: boolean };
  readonly name: string;
  readonly description: string;
  readonly plane: Plane;
  /** Lifetime of each secret, in days. */
  readonly lifetime: number;
  readonly state: TokenState;
  readonly expiresAt: string;
  /** Whether an active token expires within `api_keys.rotation_warning_days`. */
  readonly expiresSoon: boolean;
  /** End of the grace period of the previous secret; null if there is none. */
  readonly previousSecretUntil: string | null;
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
  /** The OAuth client that the token is a consent for; null for a token that a person made. */
  readonly client: OAuthClient | null;
  /** What the person has consented to; null without a client. */
  readonly scopes: Scope[] | null;
}

/** An OAuth client as its person saw it at the consent. */
export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  readonly uri: string | null;
  readonly redirect: string;
  readonly kind: ClientKind;
}

/** Where a client's description is: in a document at the address that is its id, or in a registration. */
export type ClientKind = "DOCUMENT" | "REGISTERED";

/** What a client may ask for. Each grant includes `read`. */
export const scopes = ["read", "write", "workflows"] as const;
export type Scope = (typeof scopes)[number];

/** A token with its secret, which is shown only once. */
export interface TokenWithSecret extends Token {
  readonly secret: string;
}

/** The owner whose tokens the caller may access; null for all tokens. */
export type TokenOwner = string | null;

/** The state of a row `t` of `system.tokens`. */
export const stateSql = `case when t.revoked_at is not null then 'revoked'
  when t.expires_at <= system.clock() then 'expired' when not t.active then 'deactivated' else 'active' end`;

/** Whether a row `t` of `system.tokens` is active and expires within a number of days. */
export function expiresSoonSql(warningDays: number): string {
  return `(${stateSql} = 'active' and t.expires_at <= system.clock() + interval '${warningDays} days')`;
}

/** A row `t` of `system.tokens` as JSON. */
export function tokenJson(warningDays: number): string {
  return `json_build_object('id', t.id, 'userId', t.user_id,
    'owner', (select json_build_object('email', o.email, 'name', o.name, 'active', o.active)
       from system.users o where o.id = t.user_id),
    'name', t.name, 'description', t.description,
    'plane', t.plane, 'lifetime', t.lifetime_days, 'state', ${stateSql}, 'expiresAt', t.expires_at,
    'expiresSoon', ${expiresSoonSql(warningDays)},
    'previousSecretUntil', (select k.expires_at from system.token_secrets k
       where k.token_id = t.id and not k.is_current and k.expires_at > system.clock()),
    'lastUsedAt', t.last_used_at, 'createdAt', t.created_at, 'client', t.client, 'scopes', t.scopes)`;
}

/**
 * Locks a token, which serializes concurrent changes.
 *
 * @returns its current state
 * @throws AppError NOT_FOUND for a token that is missing or another user's
 */
export async function lockToken(
  transaction: Transaction,
  id: string,
  owner: TokenOwner,
): Promise<TokenState> {
  const [row] = await transaction.query<{ state: TokenState }>(
    `select ${stateSql} as state from system.tokens t
     where t.id = $1::text::uuid and ($2::text is null or t.user_id = $2::text::uuid) for update`,
    [id, owner],
  );
  return requireFound(row).state;
}

/** Throws CONFLICT unless `state` is one from which the transition may start. */
export function requireState(state: TokenState, verb: string, ...from: TokenState[]): void {
  if (from.includes(state)) return;
  throw createError("CONFLICT", { message: `A token that is ${state} cannot be ${verb}` });
}
