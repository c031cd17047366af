import type { Queryable } from "@rowhouse/db";
import { issueLink, resetMinutes, verifyHours } from "../links.ts";
import type { AccountMails } from "../mail/account-mails.ts";

interface AddressRow {
  id: string;
  email: string;
  name: string;
  language: string | null;
  verified: boolean;
}

/** Mails a link to set a new password to whoever has this address. Returns at once, whether or not somebody has it. */
export function forgotPassword(
  dependencies: { readonly database: Queryable; readonly mails: AccountMails },
  email: string,
): void {
  const { database, mails } = dependencies;
  mails.background.run(async () => {
    const user = await findByAddress(database, email);
    if (user !== undefined) await mailReset(database, mails, user, "auth.reset");
  });
}

/** Mails a new link to confirm an address that is not confirmed yet. Returns at once, as `forgotPassword` does. */
export function resendVerification(
  dependencies: { readonly database: Queryable; readonly mails: AccountMails },
  email: string,
): void {
  const { database, mails } = dependencies;
  mails.background.run(async () => {
    const user = await findByAddress(database, email);
    if (user !== undefined && !user.verified) await mailVerification(database, mails, user);
  });
}

/** Tells the owner of an address that somebody tried to register it, or confirms a new one. */
export function mailAfterRegistration(
  dependencies: { readonly database: Queryable; readonly mails: AccountMails },
  email: string,
  isNew: boolean,
): void {
  const { database, mails } = dependencies;
  mails.background.run(async () => {
    const user = await findByAddress(database, email);
    if (user === undefined) return;
    if (isNew) await mailVerification(database, mails, user);
    else await mailReset(database, mails, user, "auth.registered");
  });
}

async function mailReset(
  database: Queryable,
  mails: AccountMails,
  user: AddressRow,
  template: "auth.reset" | "auth.registered",
): Promise<void> {
  const secret = await issueLink(database, user.id, "RESET");
  if (secret === undefined) return;
  await mails.send({
    template,
    to: user,
    page: "reset",
    secret,
    variables: { minutes: resetMinutes },
  });
}

async function mailVerification(
  database: Queryable,
  mails: AccountMails,
  user: AddressRow,
): Promise<void> {
  const secret = await issueLink(database, user.id, "VERIFY");
  if (secret === undefined) return;
  await mails.send({
    template: "auth.verify",
    to: user,
    page: "verify",
    secret,
    variables: { hours: verifyHours },
  });
}

/** Who can be written to at an address: no system account, and nobody who is deactivated. */
async function findByAddress(database: Queryable, email: string): Promise<AddressRow | undefined> {
  const [row] = await database.query<AddressRow>(
    `select id, email, name, language, email_verified_at is not null as verified from system.users
     where lower(email) = lower($1::text) and active and not is_system`,
    [email],
  );
  return row;
}
