import { hashPassword } from "@rowhouse/access";
import { appendAuditEntry, type Database, type Snapshot, schema, toAppError } from "@rowhouse/db";
import { createError, createFault, throwFaults } from "@rowhouse/errors";
import { canonicalLanguage, settingsOf } from "@rowhouse/settings";
import type { AccountMails } from "./mail/account-mails.ts";
import { auditActorOf, type Origin } from "./origin.ts";
import { checkPassword } from "./passwords/check-password.ts";
import { mailAfterRegistration } from "./passwords/forgot-password.ts";
import { type AskedReturn, requireReturnAddress } from "./return-address.ts";

export interface Registration extends AskedReturn {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  /** Language of the mails to the user. */
  readonly language?: string | undefined;
}

/**
 * Creates an account, or does nothing if the address has one. The response is the same in both cases; a mail to the
 * owner of the address says which of the two happened.
 *
 * @throws AppError NOT_FOUND while registration is disabled; BODY_INVALID for a password that is too short or too
 * common, for an invalid language tag, and at /returnTo
 */
export async function register(
  dependencies: { readonly database: Database; readonly mails: AccountMails },
  snapshot: Snapshot,
  input: Registration,
  origin: Origin,
): Promise<void> {
  const settings = settingsOf(snapshot);
  if (!settings["auth.registration_enabled"]) throw createError("NOT_FOUND");
  const returnTo = await requireReturnAddress(dependencies.mails, input.returnTo);
  const language = input.language === undefined ? null : canonicalLanguage(input.language);
  throwFaults([
    ...checkPassword(input.password, "/password", [input.email, input.name]),
    ...(language === undefined
      ? [
          createFault("BODY_INVALID", {
            path: "/language",
            message: "Must be a language tag, such as de or pt-BR",
          }),
        ]
      : []),
  ]);
  const hash = await hashPassword(input.password);
  try {
    const isNew = await dependencies.database.transaction(async (transaction) => {
      const { users } = schema;
      const [user] = await transaction.orm
        .insert(users)
        .values({ email: input.email, name: input.name, passwordHash: hash, language })
        .onConflictDoNothing()
        .returning({ id: users.id });
      // Registration never grants Administrators, even if the setting names that role.
      await transaction.query(
        `insert into system.role_members (role_id, user_id)
         select r.id, u.id from system.roles r, system.users u
         where r.id = $1::text::uuid and not r.is_administrators and u.id = $2::text::uuid`,
        [settings["auth.registration_role"], user?.id ?? null],
      );
      await appendAuditEntry(transaction, auditActorOf(null, origin), {
        action: "user.register",
        targetKind: "user",
        targetId: user?.id ?? null,
        outcome: user === undefined ? "FAILED" : "SUCCEEDED",
      });
      return user !== undefined;
    });
    mailAfterRegistration(dependencies, input.email, returnTo, isNew);
  } catch (error) {
    throw toAppError(error);
  }
}
