import { createSecret, digestSecret } from "@rowhouse/access";
import {
  type AuditAction,
  type AuditActor,
  type Database,
  makeChange,
  requireEntityTag,
  requireLegibleName,
  schema,
  type Transaction,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { and, eq, sql } from "drizzle-orm";
import { readToken } from "./read-tokens.ts";
import {
  type GracePeriod,
  gracePeriods,
  lockToken,
  requireState,
  type Token,
  type TokenOwner,
  type TokenWithSecret,
  tagOfToken,
} from "./token.ts";

const { tokens, tokenSecrets } = schema;

/** The token, the actor, and the setting for the response. */
export interface TokenRequest {
  readonly id: string;
  readonly owner: TokenOwner;
  readonly actor: AuditActor;
  /** `api_keys.rotation_warning_days`. */
  readonly warningDays: number;
}

export interface TokenChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

/**
 * Changes name or description, in every state except revoked.
 *
 * @param at JSON pointer of the fields in the body: "" or "/data"
 * @param ifMatch the tags of `If-Match`
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT for a revoked token, and for a name that another token of the owner has
 */
export async function updateToken(
  database: Database,
  request: TokenRequest,
  changes: TokenChanges,
  at: "" | "/data",
  ifMatch?: readonly string[],
): Promise<Token> {
  const { id, owner, actor, warningDays } = request;
  const changedFields = Object.keys(changes);
  return makeChange(
    database,
    actor,
    async (transaction) => {
      const state = await lockToken(transaction, id, owner);
      const before = await readToken(transaction, id, owner, warningDays);
      requireEntityTag(tagOfToken(before), ifMatch, "The token has changed since it was read");
      if (changedFields.length === 0) return { result: before, entry: null };
      requireState(state, "changed", "active", "deactivated", "expired");
      const { name, description } = changes;
      await requireLegibleName(name, `${at}/name`, async () => before.name);
      await transaction.orm.update(tokens).set({ name, description }).where(eq(tokens.id, id));
      return {
        result: await readToken(transaction, id, owner, warningDays),
        entry: { action: "token.update", targetKind: "token", targetId: id, changedFields },
      };
    },
    { path: `${at}/name`, message: "Another token of this user has this name" },
  );
}

/**
 * Issues a new secret and a new expiry for an active token. The previous secret stops at once or after the grace
 * period, also beyond its own expiry, but never later than the token. The secret before that stops at once.
 *
 * @throws AppError NOT_FOUND; CONFLICT for a token that is not active, and for a token of an OAuth client
 */
export async function regenerateToken(
  database: Database,
  request: TokenRequest,
  gracePeriod: GracePeriod,
): Promise<TokenWithSecret> {
  const { id, owner, warningDays } = request;
  const secret = createSecret("TOKEN");
  return makeChange(database, request.actor, async (transaction) => {
    requireState(await lockToken(transaction, id, owner), "regenerated", "active");
    if ((await readToken(transaction, id, owner, warningDays)).client !== null) {
      throw createError("CONFLICT", {
        message: "The client of this token gets its secrets itself; revoke the token to end them",
      });
    }
    const grace = gracePeriods[gracePeriod];
    const { orm } = transaction;
    const ofToken = eq(tokenSecrets.tokenId, id);
    const isPrevious = eq(tokenSecrets.isCurrent, false);
    await orm.delete(tokenSecrets).where(grace === null ? ofToken : and(ofToken, isPrevious));
    if (grace !== null) {
      // A trigger on the token bounds it by the new expiry.
      const until = sql`system.clock() + ${grace}::interval`;
      await orm.update(tokenSecrets).set({ isCurrent: false, expiresAt: until }).where(ofToken);
    }
    await transaction.query(
      `with t as (
         update system.tokens set expires_at = system.clock() + make_interval(days => lifetime_days)
         where id = $1::text::uuid returning id, expires_at)
       insert into system.token_secrets (digest, token_id, is_current, expires_at)
       select $2::text::bytea, t.id, true, t.expires_at from t`,
      [id, digestSecret(secret)],
    );
    return {
      result: { ...(await readToken(transaction, id, owner, warningDays)), secret },
      entry: { action: "token.regenerate", targetKind: "token", targetId: id },
    };
  });
}

/**
 * Suspends an active token.
 *
 * @throws AppError NOT_FOUND; CONFLICT for a token that is not active
 */
export async function deactivateToken(database: Database, request: TokenRequest): Promise<Token> {
  return moveToken(database, request, "token.deactivate", async (transaction, state) => {
    requireState(state, "deactivated", "active");
    await setActive(transaction, request.id, false);
  });
}

/**
 * Resumes a suspended token.
 *
 * @throws AppError NOT_FOUND; CONFLICT for a token that is not deactivated
 */
export async function activateToken(database: Database, request: TokenRequest): Promise<Token> {
  return moveToken(database, request, "token.activate", async (transaction, state) => {
    requireState(state, "activated", "deactivated");
    await setActive(transaction, request.id, true);
  });
}

/**
 * Revokes a token permanently, with all its secrets.
 *
 * @throws AppError NOT_FOUND; CONFLICT for a token that is revoked or expired
 */
export async function revokeToken(database: Database, request: TokenRequest): Promise<Token> {
  return moveToken(database, request, "token.revoke", async (transaction, state) => {
    requireState(state, "revoked", "active", "deactivated");
    const { orm } = transaction;
    await orm
      .update(tokens)
      .set({ revokedAt: sql`system.clock()` })
      .where(eq(tokens.id, request.id));
    await orm.delete(tokenSecrets).where(eq(tokenSecrets.tokenId, request.id));
  });
}

async function moveToken(
  database: Database,
  { id, owner, actor, warningDays }: TokenRequest,
  action: AuditAction,
  move: (transaction: Transaction, state: Token["state"]) => Promise<void>,
): Promise<Token> {
  return makeChange(database, actor, async (transaction) => {
    await move(transaction, await lockToken(transaction, id, owner));
    return {
      result: await readToken(transaction, id, owner, warningDays),
      entry: { action, targetKind: "token", targetId: id },
    };
  });
}

async function setActive({ orm }: Transaction, id: string, active: boolean): Promise<void> {
  await orm.update(tokens).set({ active }).where(eq(tokens.id, id));
}
