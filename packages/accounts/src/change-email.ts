import { type Principal, requireSession } from "@rowhouse/access";
import { appendAuditEntry, type Database, type Transaction, toAppError } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { areOneAddress } from "./address.ts";
import { issueLink, linkLifetimes, secondsUntilLink, verifyHours } from "./links.ts";
import type { AccountMails, Recipient } from "./mail/account-mails.ts";
import { auditActorOf, type Origin } from "./origin.ts";
import { requireOwnPassword } from "./passwords/require-own-password.ts";
import { type AskedReturn, requireReturnAddress } from "./return-address.ts";

const action = "user.request_email_change";

/**
 * Mails a link to a new address of the caller. Opening the link makes it the account's address (`verifyEmail`). The
 * response does not reveal whether another account has the address; its owner gets a mail.
 *
 * @throws AppError SESSION_REQUIRED; BODY_INVALID for a wrong password, for the account's current address and at /returnTo;
 * RATE_LIMIT_EXCEEDED within a minute of the last request, and longer after several in a row
 */
export async function changeEmail(
  dependencies: { readonly database: Database; readonly mails: AccountMails },
  principal: Pick<Principal, "userId" | "session">,
  input: AskedReturn & { readonly currentPassword: string; readonly newEmail: string },
  origin: Origin,
): Promise<void> {
  requireSession(principal);
  const { database, mails } = dependencies;
  const { userId } = principal;
  const { currentPassword, newEmail } = input;
  const returnTo = await requireReturnAddress(mails, input.returnTo);
  try {
    const { email } = await requireOwnPassword(database, userId, currentPassword, action, origin);
    if (await areOneAddress(database, newEmail, email)) {
      throw createError("BODY_INVALID", {
        path: "/newEmail",
        message: "Must differ from the account's current address",
      });
    }
    await database.transaction(async (transaction) => {
      // Also for a taken address, although its link is never sent: a second request within a minute reveals nothing
      // then.
      const secret = await issueLink(transaction, userId, "CHANGE", newEmail);
      if (secret === undefined) {
        const seconds = await secondsUntilLink(transaction, userId, "CHANGE");
        throw createError("RATE_LIMIT_EXCEEDED", { headers: { "Retry-After": String(seconds) } });
      }
      await mailAbout(transaction, mails, userId, { newEmail, secret, returnTo });
      await appendAuditEntry(transaction, auditActorOf(userId, origin), {
        action,
        targetKind: "user",
        targetId: userId,
        changedFields: ["email"],
      });
    });
  } catch (error) {
    throw toAppError(error);
  }
  mails.wake();
}

interface PersonRow extends Recipient {
  id: string;
  reachable: boolean;
}

async function mailAbout(
  transaction: Transaction,
  mails: AccountMails,
  userId: string,
  {
    newEmail,
    ...link
  }: { readonly newEmail: string; readonly secret: string; readonly returnTo: string | null },
): Promise<void> {
  const people = await transaction.query<PersonRow>(
    `select id, email, name, language, active and not is_system as reachable from system.users
     where id = $1::text::uuid or system.fold(email) = system.fold($2::text)`,
    [userId, newEmail],
  );
  const self = people.find((person) => person.id === userId);
  const owner = people.find((person) => person.id !== userId);
  if (owner !== undefined) {
    if (!owner.reachable) return;
    const { email, name, language } = owner;
    await mails.put(transaction, {
      template: "auth.email_taken",
      to: { email, name, language },
      secret: null,
      variables: {},
      target: { kind: "user", id: owner.id },
      goodFor: linkLifetimes.CHANGE,
    });
    return;
  }
  await mails.put(transaction, {
    template: "auth.email_change",
    to: { email: newEmail, name: self?.name ?? "", language: self?.language ?? null },
    ...link,
    variables: { hours: verifyHours },
    target: { kind: "user", id: userId },
    goodFor: linkLifetimes.CHANGE,
  });
}
