import { checkPassword, hashPassword } from "@rowhouse/access";
import { actAs, appendAuditEntry, type Database, toAppError } from "@rowhouse/db";
import { throwFaults } from "@rowhouse/errors";
import { consumeLink, requireLink } from "../links.ts";
import { actorOf, type Origin } from "../origin.ts";
import { forgetAttempts } from "../sign-in-throttle.ts";

/**
 * Sets a new password by the link of a mail, and ends every session of its user. Whoever got the mail has the address, so
 * it counts as confirmed.
 *
 * @throws AppError BODY_INVALID for a password that is too short or too common, or a link that cannot be used
 */
export async function resetPassword(
  database: Database,
  input: { readonly token: string; readonly password: string },
  origin: Origin,
): Promise<void> {
  throwFaults(checkPassword(input.password, "/password"));
  try {
    const digest = await requireLink(database, ["RESET"], input.token);
    const hash = await hashPassword(input.password);
    await database.transaction(async (transaction) => {
      const { userId, email, name } = await consumeLink(transaction, ["RESET"], digest);
      // Undone with the transaction, the link is good for another one.
      throwFaults(checkPassword(input.password, "/password", [email, name]));
      await actAs(transaction, userId);
      await transaction.query(
        `update system.users set password_hash = $2::text, updated_at = system.clock(),
           email_verified_at = coalesce(email_verified_at, system.clock()) where id = $1::text::uuid`,
        [userId, hash],
      );
      await transaction.query("delete from system.sessions where user_id = $1::text::uuid", [
        userId,
      ]);
      // Somebody else may have asked for a new address, with the password that was.
      await transaction.query(
        "delete from system.links where user_id = $1::text::uuid and kind = 'CHANGE'",
        [userId],
      );
      await forgetAttempts(transaction, email);
      await appendAuditEntry(transaction, actorOf(userId, origin), {
        action: "user.reset_password",
        targetKind: "user",
        targetId: userId,
        changedFields: ["password"],
      });
    });
  } catch (error) {
    throw toAppError(error);
  }
}
