import { appendAuditEntry, type Database, toAppError } from "@rowhouse/db";
import { consumeLink, requireLink } from "./links.ts";
import { actorOf, type Origin } from "./origin.ts";

/**
 * Confirms an address by the link of a mail.
 *
 * @throws AppError BODY_INVALID for a link that cannot be used
 */
export async function verifyEmail(
  database: Database,
  token: string,
  origin: Origin,
): Promise<void> {
  try {
    const digest = await requireLink(database, "VERIFY", token);
    await database.transaction(async (transaction) => {
      const { userId } = await consumeLink(transaction, "VERIFY", digest);
      await transaction.query(
        "update system.users set email_verified_at = coalesce(email_verified_at, system.clock()) where id = $1::text::uuid",
        [userId],
      );
      await appendAuditEntry(transaction, actorOf(userId, origin), {
        action: "user.verify_email",
        targetKind: "user",
        targetId: userId,
      });
    });
  } catch (error) {
    throw toAppError(error);
  }
}
