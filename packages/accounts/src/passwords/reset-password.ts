import { hashPassword } from "@rowhouse/access";
import { actAs, appendAuditEntry, type Database, schema, toAppError } from "@rowhouse/db";
import { throwFaults } from "@rowhouse/errors";
import { eq, sql } from "drizzle-orm";
import { consumeLink, requireLink } from "../links.ts";
import { auditActorOf, type Origin } from "../origin.ts";
import { forgetAttempts } from "../sign-in-throttle.ts";
import { checkPassword } from "./check-password.ts";

const { users } = schema;

/**
 * Sets a new password by a mailed link and ends all sessions of the user. The link proves that the user receives mail
 * at the address, so the address becomes verified.
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
      // The rollback makes the link usable with another password.
      throwFaults(checkPassword(input.password, "/password", [email, name]));
      await actAs(transaction, userId);
      await transaction.orm
        .update(users)
        .set({
          passwordHash: hash,
          updatedAt: sql`system.clock()`,
          emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, system.clock())`,
        })
        .where(eq(users.id, userId));
      await transaction.query("delete from system.sessions where user_id = $1::text::uuid", [
        userId,
      ]);
      // An attacker who knew the old password may have requested an address change, so the pending change is deleted.
      await transaction.query(
        "delete from system.links where user_id = $1::text::uuid and kind = 'CHANGE'",
        [userId],
      );
      await forgetAttempts(transaction, email);
      await appendAuditEntry(transaction, auditActorOf(userId, origin), {
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
