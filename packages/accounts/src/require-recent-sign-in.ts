import { type Principal, requireSession } from "@rowhouse/access";
import type { Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";

/** Time after a sign-in during which its session may change the ways of signing in. */
const recentMinutes = 15;

/**
 * Requires a recent session, for actions that decide who can sign in to this account. An attacker who finds an open
 * session has to sign in first. The password is not an alternative, since an account may have none.
 *
 * @throws AppError SESSION_REQUIRED, RECENT_SIGN_IN_REQUIRED
 */
export async function requireRecentSignIn(
  database: Queryable,
  principal: Pick<Principal, "session">,
): Promise<{ readonly id: string }> {
  const session = requireSession(principal);
  const [recent] = await database.query(
    `select 1 from system.sessions where id = $1::text::uuid
       and created_at > system.clock() - interval '${recentMinutes} minutes'`,
    [session.id],
  );
  if (recent === undefined) throw createError("RECENT_SIGN_IN_REQUIRED");
  return session;
}
