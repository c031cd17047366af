import type { Database, Queryable } from "@rowhouse/db";
import { mayBeAddress } from "../address.ts";
import { issueLink, type LinkKind, linkLifetimes, resetMinutes, verifyHours } from "../links.ts";
import type { AccountMail, AccountMails } from "../mail/account-mails.ts";
import { type AskedReturn, requireReturnAddress } from "../return-address.ts";

interface AddressRow {
  id: string;
  email: string;
  name: string;
  language: string | null;
  verified: boolean;
}

type MailedUser = AddressRow & { readonly returnTo: string | null };

type AskedMail = AskedReturn & { readonly email: string };

/**
 * Mails a password reset link to the account with this address, if any. Returns without waiting for it in either case.
 *
 * @throws AppError BODY_INVALID at /returnTo
 */
export async function forgotPassword(
  dependencies: { readonly database: Database; readonly mails: AccountMails },
  { email, returnTo: asked }: AskedMail,
): Promise<void> {
  const { database, mails } = dependencies;
  const returnTo = await requireReturnAddress(mails, asked);
  mails.background.run(async () => {
    const user = await findByAddress(database, email);
    if (user !== undefined) await mailReset(database, mails, { ...user, returnTo }, "auth.reset");
  });
}

/** Mails a new confirmation link to an unconfirmed address. Returns and throws as `forgotPassword`. */
export async function resendVerification(
  dependencies: { readonly database: Database; readonly mails: AccountMails },
  { email, returnTo: asked }: AskedMail,
): Promise<void> {
  const { database, mails } = dependencies;
  const returnTo = await requireReturnAddress(mails, asked);
  mails.background.run(async () => {
    const user = await findByAddress(database, email);
    if (user === undefined || user.verified) return;
    await mailVerification(database, mails, { ...user, returnTo });
  });
}

/**
 * Mails a confirmation link to a new address, or notifies the owner of a taken address of the attempt to register it.
 */
export function mailAfterRegistration(
  dependencies: { readonly database: Database; readonly mails: AccountMails },
  email: string,
  returnTo: string | null,
  isNew: boolean,
): void {
  const { database, mails } = dependencies;
  mails.background.run(async () => {
    const user = await findByAddress(database, email);
    if (user === undefined) return;
    const to = { ...user, returnTo };
    if (isNew) await mailVerification(database, mails, to);
    else await mailReset(database, mails, to, "auth.registered");
  });
}

function mailReset(
  database: Database,
  mails: AccountMails,
  user: MailedUser,
  template: "auth.reset" | "auth.registered",
): Promise<void> {
  return mailLink(database, mails, user, "RESET", (secret) => ({
    template,
    secret,
    variables: { minutes: resetMinutes },
  }));
}

function mailVerification(
  database: Database,
  mails: AccountMails,
  user: MailedUser,
): Promise<void> {
  return mailLink(database, mails, user, "VERIFY", (secret) => ({
    template: "auth.verify",
    secret,
    variables: { hours: verifyHours },
  }));
}

/** Creates a link and the mail that carries it in one transaction. */
async function mailLink(
  database: Database,
  mails: AccountMails,
  user: MailedUser,
  kind: LinkKind,
  mailOf: (secret: string) => Pick<AccountMail, "template" | "secret" | "variables">,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const secret = await issueLink(transaction, user.id, kind);
    if (secret === undefined) return;
    await mails.put(transaction, {
      ...mailOf(secret),
      returnTo: user.returnTo,
      to: { email: user.email, name: user.name, language: user.language },
      target: { kind: "user", id: user.id },
      goodFor: linkLifetimes[kind],
    });
  });
  mails.wake();
}

/** The account with this address that may get mail: active and not a system account. */
async function findByAddress(database: Queryable, email: string): Promise<AddressRow | undefined> {
  if (!mayBeAddress(email)) return undefined;
  const [row] = await database.query<AddressRow>(
    `select id, email, name, language, email_verified_at is not null as verified from system.users
     where system.fold(email) = system.fold($1::text) and active and not is_system`,
    [email],
  );
  return row;
}
