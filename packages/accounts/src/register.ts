import { checkPassword, hashPassword } from "@rowhouse/access";
import { appendAuditEntry, type Database, type Snapshot, toAppError } from "@rowhouse/db";
import { createError, createFault, throwFaults } from "@rowhouse/errors";
import { canonicalLanguage, settingsOf } from "@rowhouse/settings";
import type { AccountMails } from "./mail/account-mails.ts";
import { actorOf, type Origin } from "./origin.ts";
import { mailAfterRegistration } from "./passwords/forgot-password.ts";

export interface Registration {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  /** What its mails are to be written in. */
  readonly language?: string | undefined;
}

/**
 * Creates an account, or does nothing where the address has one: the answer is the same, and the owner of the address is
 * told by mail which of the two it was.
 *
 * @throws AppError NOT_FOUND while registration is disabled; BODY_INVALID for a password that is too short or too common, and for no language tag
 */
export async function register(
  dependencies: { readonly database: Database; readonly mails: AccountMails },
  snapshot: Snapshot,
  input: Registration,
  origin: Origin,
): Promise<void> {
  const settings = settingsOf(snapshot);
  if (!settings["auth.registration_enabled"]) throw createError("NOT_FOUND");
  const language = input.language === undefined ? null : canonicalLanguage(input.language);
  throwFaults([
    ...checkPassword(input.password, "/password", [input.email, input.name]),
    ...(language === undefined
      ? [
          createFault("BODY_INVALID", {
            path: "/language",
            message: "A language tag, like de or pt-BR",
          }),
        ]
      : []),
  ]);
  const hash = await hashPassword(input.password);
  try {
    const isNew = await dependencies.database.transaction(async (transaction) => {
      const [user] = await transaction.query<{ id: string }>(
        `insert into system.users (email, name, password_hash, language)
         values ($1::text, $2::text, $3::text, $4::text) on conflict do nothing returning id`,
        [input.email, input.name, hash, language ?? null],
      );
      // Nobody registers into Administrators, whatever the setting says.
      await transaction.query(
        `insert into system.role_members (role_id, user_id)
         select r.id, u.id from system.roles r, system.users u
         where r.id = $1::text::uuid and not r.is_administrators and u.id = $2::text::uuid`,
        [settings["auth.registration_role"], user?.id ?? null],
      );
      await appendAuditEntry(transaction, actorOf(null, origin), {
        action: "user.register",
        targetKind: "user",
        targetId: user?.id ?? null,
        outcome: user === undefined ? "FAILED" : "SUCCEEDED",
      });
      return user !== undefined;
    });
    mailAfterRegistration(dependencies, input.email, isNew);
  } catch (error) {
    throw toAppError(error);
  }
}
