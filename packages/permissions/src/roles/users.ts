import { hashPassword } from "@rowhouse/access";
import {
  type AuditActor,
  type Database,
  hasAccessSql,
  type InputOf,
  type Page,
  type PageRequest,
  type Queryable,
  Records,
  type StoredOf,
  userKind,
} from "@rowhouse/db";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { canonicalLanguage, isTimeZone } from "@rowhouse/settings";
import { sql } from "drizzle-orm";

export type User = StoredOf<typeof userKind>;

/** Returns the faults of a new password at `path`; `about` holds addresses and names of its account. */
export type CheckPassword = (
  password: string,
  path: string,
  about: readonly string[],
) => readonly Fault[];

/** The stored users, and what a change of one has to keep. Deactivation revokes the user's sessions. */
export const userRecords: Records<typeof userKind> = new Records(userKind, {
  check: async (_, { timeZone, language }, present) => {
    if (present?.isSystem === true) {
      throw createError("CONFLICT", { message: "A system account cannot be changed" });
    }
    throwFaults([...checkTimeZone(timeZone), ...checkLanguage(language)]);
  },
  columns: ({ language, emailVerified }) => ({
    ...(language == null ? {} : { language: canonicalLanguage(language) }),
    ...(emailVerified === undefined
      ? {}
      : { emailVerifiedAt: emailVerified ? sql`system.clock()` : null }),
  }),
  actionOf: (changes) => {
    const isOnlyActive = changes.active !== undefined && Object.keys(changes).length === 1;
    if (!isOnlyActive) return undefined;
    return changes.active === true ? "user.activate" : "user.deactivate";
  },
});

/** Lists the users by address, including system accounts. */
export async function listUsers(
  database: Queryable,
  request: PageRequest & { readonly active: boolean | null; readonly apiAccess: boolean | null },
): Promise<Page<User>> {
  const textOf = (value: boolean | null) => (value === null ? null : String(value));
  return userRecords.list(database, request, [
    { value: textOf(request.active), sql: (value) => `u.active = ${value}::boolean` },
    { value: textOf(request.apiAccess), sql: (value) => `${hasAccessSql} = ${value}::boolean` },
  ]);
}

/**
 * Creates a user without roles. The administrator vouches for the address, so it counts as verified.
 *
 * @param checkPassword the password rules, which the app takes from @rowhouse/accounts
 * @throws AppError BODY_INVALID for a password that is too short or too common, or an unknown time zone; CONFLICT for
 * the address of an existing account, compared without case
 */
export async function createUser(
  database: Database,
  input: InputOf<typeof userKind>,
  actor: AuditActor,
  checkPassword: CheckPassword,
): Promise<User> {
  const { email, name = "", password, timeZone, language } = input;
  throwFaults([
    ...(password === undefined ? [] : checkPassword(password, "/data/password", [email, name])),
    ...checkTimeZone(timeZone),
    ...checkLanguage(language),
  ]);
  const passwordHash = password === undefined ? null : await hashPassword(password);
  return userRecords.create(database, input, actor, { passwordHash, emailVerifiedAt: sql`now()` });
}

function checkTimeZone(name: string | null | undefined): Fault[] {
  if (name == null || isTimeZone(name)) return [];
  const message = "Must be an IANA time zone name, such as Europe/Oslo";
  return [createFault("BODY_INVALID", { path: "/data/timeZone", message })];
}

function checkLanguage(tag: string | null | undefined): Fault[] {
  if (tag == null || canonicalLanguage(tag) !== undefined) return [];
  const message = "Must be a language tag, such as de or pt-BR";
  return [createFault("BODY_INVALID", { path: "/data/language", message })];
}
