import {
  checkPassword,
  hashPassword,
  type Principal,
  requireSession,
  verifyPassword,
} from "@rowhouse/access";
import { actAs, appendAuditEntry, type Database, toAppError } from "@rowhouse/db";
import { createError, throwFaults } from "@rowhouse/errors";
import { actorOf, type Origin } from "../origin.ts";
import { forgetAttempts, takeAttempt } from "../sign-in-throttle.ts";

/**
 * Changes one's own password, and ends one's other sessions. Guesses at the current password are throttled together with
 * sign-ins.
 *
 * @throws AppError SESSION_REQUIRED; BODY_INVALID for a wrong current password, and a new one that is too short or common
 */
export async function changePassword(
  database: Database,
  principal: Pick<Principal, "userId" | "session">,
  input: { readonly currentPassword: string; readonly newPassword: string },
  origin: Origin,
): Promise<void> {
  const session = requireSession(principal);
  throwFaults(checkPassword(input.newPassword, "/newPassword"));
  try {
    const [user] = await database.query<{ email: string; password_hash: string | null }>(
      "select email, password_hash from system.users where id = $1::text::uuid",
      [principal.userId],
    );
    const isLetThrough = user !== undefined && (await takeAttempt(database, user.email));
    const isRight = await verifyPassword(user?.password_hash ?? null, input.currentPassword);
    if (user === undefined || !isLetThrough || !isRight) throw wrongPassword();
    const hash = await hashPassword(input.newPassword);
    await database.transaction(async (transaction) => {
      await actAs(transaction, principal.userId);
      const [changed] = await transaction.query(
        `update system.users set password_hash = $3::text, updated_at = system.clock()
         where id = $1::text::uuid and password_hash = $2::text returning 1`,
        [principal.userId, user.password_hash, hash],
      );
      if (changed === undefined) throw wrongPassword();
      await transaction.query(
        "delete from system.sessions where user_id = $1::text::uuid and id <> $2::text::uuid",
        [principal.userId, session.id],
      );
      await transaction.query(
        "delete from system.links where user_id = $1::text::uuid and kind = 'RESET'",
        [principal.userId],
      );
      await forgetAttempts(transaction, user.email);
      await appendAuditEntry(transaction, actorOf(principal.userId, origin), {
        action: "user.change_password",
        targetKind: "user",
        targetId: principal.userId,
        changedFields: ["password"],
      });
    });
  } catch (error) {
    throw toAppError(error);
  }
}

function wrongPassword(): Error {
  return createError("BODY_INVALID", {
    path: "/currentPassword",
    message: "This is not the current password",
  });
}
