import {
  actAs,
  appendAuditEntry,
  type Database,
  readPostgresFailure,
  type Transaction,
  toAppError,
} from "@rowhouse/db";
import { consumeLink, linkRefused, requireLink } from "./links.ts";
import type { AccountMails } from "./mail/account-mails.ts";
import { actorOf, type Origin } from "./origin.ts";

/** How long the owner of an address that was given up is worth telling. */
const noticeGoodFor = "72 hours";

/**
 * Confirms an address by the link of a mail: the account's own, or a new one, which takes the place of the old. The old
 * one hears of it.
 *
 * @throws AppError BODY_INVALID for a link that cannot be used, one to an address that another account has got included
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
      const { userId, email, newEmail } = await consumeLink(transaction, kinds, digest);
      if (newEmail === null) await confirm(transaction, userId);
      else await replace(transaction, mails, userId, email, newEmail);
      await appendAuditEntry(transaction, actorOf(userId, origin), {
        action: newEmail === null ? "user.verify_email" : "user.change_email",
        targetKind: "user",
        targetId: userId,
        ...(newEmail === null ? {} : { changedFields: ["email"] }),
      });
    });
  } catch (error) {
    // The address got an account since the mail was sent.
    if (readPostgresFailure(error)?.code === "23505") throw linkRefused();
    throw toAppError(error);
  }
  mails.wake();
}

async function confirm(transaction: Transaction, userId: string): Promise<void> {
  await transaction.query(
    "update system.users set email_verified_at = coalesce(email_verified_at, system.clock()) where id = $1::text::uuid",
    [userId],
  );
}

async function replace(
  transaction: Transaction,
  mails: AccountMails,
  userId: string,
  email: string,
  newEmail: string,
): Promise<void> {
  await actAs(transaction, userId);
  // A trigger ends the links that went to the old address.
  const [user] = await transaction.query<{ name: string; language: string | null }>(
    `update system.users set email = $2::text, email_verified_at = system.clock(), updated_at = system.clock()
     where id = $1::text::uuid returning name, language`,
    [userId, newEmail],
  );
  await mails.put(transaction, {
    template: "auth.email_changed",
    to: { email, name: user?.name ?? "", language: user?.language ?? null },
    secret: null,
    variables: { new_email: newEmail },
    target: { kind: "user", id: userId },
    goodFor: noticeGoodFor,
  });
}
