import { hashPassword, type Principal, requireSession } from "@rowhouse/access";
import { actAs, appendAuditEntry, type Database, toAppError } from "@rowhouse/db";
import { throwFaults } from "@rowhouse/errors";
import { auditActorOf, type Origin } from "../origin.ts";
import { checkPassword } from "./check-password.ts";
import { requireOwnPassword, wrongPassword } from "./require-own-password.ts";

const action = "user.change_password";

/**
 * Changes one's own password and ends one's other sessions. Attempts at the current password share the sign-in
 * throttle.
 *
 * @throws AppError SESSION_REQUIRED; BODY_INVALID for a wrong current password, and for a new one that is too short or
 * too common
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
    const { userId } = principal;
    const guess = input.currentPassword;
    const current = await requireOwnPassword(database, userId, guess, action, origin);
    throwFaults(checkPassword(input.newPassword, "/newPassword", [current.email, current.name]));
    const hash = await hashPassword(input.newPassword);
    await database.transaction(async (transaction) => {
      await actAs(transaction, principal.userId);
      const [changed] = await transaction.query(
        `update system.users set password_hash = $3::text, updated_at = system.clock()
         where id = $1::text::uuid and system.password_of(id) = $2::text returning 1`,
        [principal.userId, current.hash, hash],
      );
      if (changed === undefined) throw wrongPassword();
      await transaction.query(
        "delete from system.sessions where user_id = $1::text::uuid and id <> $2::text::uuid",
        [principal.userId, session.id],
      );
      await transaction.query(
        "delete from system.links where user_id = $1::text::uuid and kind in ('RESET', 'CHANGE')",
        [principal.userId],
      );
      await appendAuditEntry(transaction, auditActorOf(principal.userId, origin), {
        action,
        targetKind: "user",
        targetId: principal.userId,
        changedFields: ["password"],
      });
    });
  } catch (error) {
    throw toAppError(error);
  }
}
