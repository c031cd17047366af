import { entityTagOf, requireFound, type Transaction } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { z } from "zod";

/** What a client may ask for. Each grant includes `read`. */
export const scopes = ["read", "write", "workflows"] as const;
export type TokenScope = (typeof scopes)[number];

/** An OAuth client as its person saw it at the consent. */
export const oauthClientSchema = z.object({
  id: z.string(),
  name: z.string(),
  uri: z.string().nullable(),
  redirect: z.string(),
  // Where a client's description is: in a document at the address that is its id, or in a registration.
  kind: z.enum(["DOCUMENT", "REGISTERED"]),
});
export type OAuthClient = z.output<typeof oauthClientSchema>;
export type ClientKind = OAuthClient["kind"];

const moment = z.string().meta({ format: "date-time" });

/** A personal access token, without its secret. */
export const tokenSchema = z.object({
  id: z.string(),
  userId: z.string(),
  owner: z.object({ email: z.string(), name: z.string(), active: z.boolean() }),
  name: z.string(),
  description: z.string(),
  plane: z.enum(["api", "admin"]),
  // The lifetime of each secret, in days.
  lifetime: z.int(),
  state: z.enum(["active", "deactivated", "expired", "revoked"]),
  expiresAt: moment,
  // Whether an active token expires within `api_keys.rotation_warning_days`.
  expiresSoon: z.boolean(),
  // The end of the grace period of the previous secret; null if there is none.
  previousSecretUntil: moment.nullable(),
  lastUsedAt: moment.nullable(),
  createdAt: moment,
  // The OAuth client that the token is a consent for; null for a token that a person made.
  client: oauthClientSchema.nullable(),
  // What the person has consented to; null without a client.
  scopes: z.array(z.enum(scopes)).nullable(),
});
export type Token = z.output<typeof tokenSchema>;
export type TokenState = Token["state"];

/** A token with its secret, which is shown only once. */
export interface TokenWithSecret extends Token {
  readonly secret: string;
}

/** How long the previous secret remains valid, as PostgreSQL intervals. */
export const gracePeriods = {
  none: null,
  "1h": "1 hour",
  "24h": "24 hours",
  "7d": "7 days",
} as const;
export type GracePeriod = keyof typeof gracePeriods;

/** The fields of a token that a request gives. */
export const tokenFields = {
  name: z.string().trim().min(1).max(100),
  description: z.string().max(1000),
  plane: tokenSchema.shape.plane,
  lifetime: z.int().min(1).max(3650).optional().describe("Days"),
  gracePeriod: z.enum(Object.keys(gracePeriods) as [GracePeriod]),
};

/** The entity tag of what can be changed of a token, without quotes. Its transitions and uses do not affect it. */
export function tagOfToken({ id, name, description }: Token): string {
  return entityTagOf(JSON.stringify([id, name, description]));
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
  return `pg_catalog.json_build_object('id', t.id, 'userId', t.user_id,
    'owner', (select pg_catalog.json_build_object('email', o.email, 'name', o.name, 'active', o.active)
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
