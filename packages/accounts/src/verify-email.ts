import {
  actAs,
  appendAuditEntry,
  type Database,
  readPostgresFailure,
  schema,
  type Transaction,
  toAppError,
} from "@rowhouse/db";
import { eq, sql } from "drizzle-orm";
import { consumeLink, linkRefused, requireLink } from "./links.ts";
import type { AccountMails } from "./mail/account-mails.ts";
import { auditActorOf, type Origin } from "./origin.ts";

const { users } = schema;

/**
 * Confirms an address by a mailed link: the account's own, or a new address, which replaces the old one.
 *
 * @throws AppError BODY_INVALID for a link that cannot be used, also if another account now has the address
 */
export async function verifyEmail(
  dependencies: { readonly database: Database; readonly mails: AccountMails },
  token: string,
  origin: Origin,
): Promise<void> {
  const { database, mails } = dependencies;
  const kinds = ["VERIFY", "CHANGE"] as const;
  try {
    const digest = await requireLink(database, kinds, token);
    await database.transaction(async (transaction) => {
      const { userId, newEmail } = await consumeLink(transaction, kinds, digest);
      if (newEmail === null) await confirm(transaction, userId);
      else await replace(transaction, userId, newEmail);
      await appendAuditEntry(transaction, auditActorOf(userId, origin), {
        action: newEmail === null ? "user.verify_email" : "user.change_email",
        targetKind: "user",
        targetId: userId,
        ...(newEmail === null ? {} : { changedFields: ["email"] }),
      });
    });
  } catch (error) {
    // Another account got the address after the mail was sent.
    if (readPostgresFailure(error)?.code === "23505") throw linkRefused();
    throw toAppError(error);
  }
  mails.wake();
}

async function confirm({ orm }: Transaction, userId: string): Promise<void> {
  await orm
    .update(users)
    .set({ emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, system.clock())` })
    .where(eq(users.id, userId));
}

/** Triggers mail the old address and delete the links that were sent to it. */
async function replace(transaction: Transaction, userId: string, newEmail: string): Promise<void> {
  await actAs(transaction, userId);
  const now = sql`system.clock()`;
  await transaction.orm
    .update(users)
    .set({ email: newEmail, emailVerifiedAt: now, updatedAt: now })
    .where(eq(users.id, userId));
}
