import type { Principal } from "@rowhouse/access";
import { type Database, makeChange, type Queryable, requireFound, schema } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { eq } from "drizzle-orm";
import { auditActorOf, type Origin } from "../origin.ts";
import { requireRecentSignIn } from "../require-recent-sign-in.ts";

/** An account at a provider that is linked to a user. */
export interface LinkedAccount {
  readonly id: string;
  readonly issuer: string;
  /** The provider by key and name; null if it was removed. */
  readonly provider: { readonly key: string; readonly name: string } | null;
  readonly createdAt: string;
}

/** Lists the linked accounts of a user, oldest first. */
export async function listLinkedAccounts(
  database: Queryable,
  userId: string,
): Promise<LinkedAccount[]> {
  const rows = await database.query<{ account: LinkedAccount }>(
    `select pg_catalog.json_build_object('id', a.id, 'issuer', a.issuer, 'createdAt', a.created_at,
       'provider', (select pg_catalog.json_build_object('key', p.key, 'name', p.name) from system.auth_providers p
                    where p.issuer = a.issuer order by p.enabled desc, p.key limit 1)) as account
     from system.provider_accounts a where a.user_id = $1::text::uuid order by a.created_at, a.id limit 100`,
    [userId],
  );
  return rows.map((row) => row.account);
}

/**
 * Unlinks an account at a provider and ends the other sessions that were opened through it.
 *
 * @throws AppError SESSION_REQUIRED, RECENT_SIGN_IN_REQUIRED; NOT_FOUND for an account that is not linked or is
 * another user's; CONFLICT if no way to sign in would remain
 */
export async function unlinkAccount(
  database: Database,
  principal: Pick<Principal, "userId" | "session">,
  id: string,
  origin: Origin,
): Promise<void> {
  const session = await requireRecentSignIn(database, principal);
  const { userId } = principal;
  await makeChange(database, auditActorOf(userId, origin), async (transaction) => {
    // The lock serializes concurrent removals, so that the second one detects that it removes the last way.
    const { users } = schema;
    await transaction.orm
      .select({ id: users.id })
      .from(users)
      .where(eq(users.id, userId))
      .for("update");
    const [unlinked] = await transaction.query<{ issuer: string }>(
      "delete from system.provider_accounts where id = $1::text::uuid and user_id = $2::text::uuid returning issuer",
      [id, userId],
    );
    const { issuer } = requireFound(unlinked);
    const [left] = await transaction.query(
      `select 1 from system.users u where u.id = $1::text::uuid
         and (system.password_of(u.id) is not null or exists (
           select 1 from system.provider_accounts a join system.auth_providers p on p.issuer = a.issuer and p.enabled
           where a.user_id = u.id))`,
      [userId],
    );
    if (left === undefined) {
      throw createError("CONFLICT", {
        message: "The last way to sign in cannot be removed; set a password first",
      });
    }
    await transaction.query(
      `delete from system.sessions s using system.auth_providers p
       where s.user_id = $1::text::uuid and s.id <> $2::text::uuid and p.issuer = $3::text
         and s.method = 'provider:' || p.key
         and not exists (select 1 from system.provider_accounts a where a.user_id = s.user_id and a.issuer = p.issuer)`,
      [userId, session.id, issuer],
    );
    return {
      result: undefined,
      entry: { action: "user.unlink_provider", targetKind: "user", targetId: userId },
    };
  });
}
