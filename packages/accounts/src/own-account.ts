import { type Principal, requireSession } from "@rowhouse/access";
import { appendAuditEntry, type Database, type Queryable, toAppError } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { actorOf, type Origin } from "./origin.ts";
import type { UserSummary } from "./sign-in.ts";

/** The signed-in person, as `GET /api/auth/me` shows it. */
export interface OwnAccount extends UserSummary {
  readonly timeZone: string | null;
  readonly roles: { readonly id: string; readonly name: string }[];
}

/**
 * Ends the session that the principal came with.
 *
 * @throws AppError SESSION_REQUIRED for a principal that came with a token
 */
export async function signOut(
  database: Database,
  principal: Pick<Principal, "userId" | "session">,
  origin: Origin,
): Promise<void> {
  const session = requireSession(principal);
  try {
    await database.transaction(async (transaction) => {
      await transaction.query("delete from system.sessions where id = $1::text::uuid", [
        session.id,
      ]);
      await appendAuditEntry(transaction, actorOf(principal.userId, origin), {
        action: "session.end",
        targetKind: "session",
        targetId: session.id,
      });
    });
  } catch (error) {
    throw toAppError(error);
  }
}

/** The account of a principal. */
export async function readOwnAccount(
  database: Queryable,
  principal: Pick<Principal, "userId">,
): Promise<OwnAccount> {
  const [row] = await database.query<{ account: OwnAccount }>(
    `select json_build_object('id', u.id, 'email', u.email, 'name', u.name, 'timeZone', u.time_zone,
       'roles', coalesce((select json_agg(json_build_object('id', r.id, 'name', r.name) order by r.name)
                          from system.role_members m join system.roles r on r.id = m.role_id
                          where m.user_id = u.id), '[]')) as account
     from system.users u where u.id = $1::text::uuid`,
    [principal.userId],
  );
  if (row === undefined) throw createError("AUTHENTICATION_REQUIRED");
  return row.account;
}
