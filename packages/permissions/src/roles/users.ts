import { hashPassword } from "@rowhouse/access";
import {
  type AuditAction,
  type AuditActor,
  type Conflict,
  createRecord,
  type Database,
  entityTagOf,
  listRecords,
  type Page,
  type PageRequest,
  type Queryable,
  type RecordKind,
  readMatching,
  readRecord,
  requireFound,
  requireLegibleName,
  schema,
  type Transaction,
  updateRecord,
} from "@rowhouse/db";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { canonicalLanguage, isTimeZone } from "@rowhouse/settings";
import { eq, sql } from "drizzle-orm";

export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly active: boolean;
  readonly isSystem: boolean;
  readonly emailVerified: boolean;
  readonly timeZone: string | null;
  readonly language: string | null;
  readonly lastSignInAt: string | null;
  readonly createdAt: string;
  readonly roles: { readonly id: string; readonly name: string }[];
  /** Whether one of the roles has API access; without it the user cannot sign in. */
  readonly apiAccess: boolean;
}

export interface NewUser {
  readonly email: string;
  readonly name?: string | undefined;
  /** Without a password the user cannot use password sign-in. */
  readonly password?: string | undefined;
  readonly timeZone?: string | null | undefined;
  /** The language tag of the mail templates for this user, if templates in this language exist. */
  readonly language?: string | null | undefined;
}

/** Returns the faults of a new password at `path`; `about` holds addresses and names of its account. */
export type CheckPassword = (
  password: string,
  path: string,
  about: readonly string[],
) => readonly Fault[];

export interface UserChanges {
  /**
   * Unverified unless `emailVerified` is true. Links sent to the old address become invalid, and the old address
   * receives a notice.
   */
  readonly email?: string | undefined;
  /** Whether the administrator vouches for the address; recorded in the audit log. */
  readonly emailVerified?: boolean | undefined;
  readonly name?: string | undefined;
  /** An IANA name, or null for the time zone of the installation. */
  readonly timeZone?: string | null | undefined;
  readonly language?: string | null | undefined;
  readonly active?: boolean | undefined;
}

const hasAccess = `exists (select from system.role_members m join system.roles r on r.id = m.role_id
  where m.user_id = u.id and r.api_access)`;

const kind: RecordKind = {
  name: "user",
  table: schema.users,
  from: "system.users u",
  id: "u.id",
  json: `pg_catalog.json_build_object('id', u.id, 'email', u.email, 'name', u.name, 'active', u.active,
    'isSystem', u.is_system, 'emailVerified', u.email_verified_at is not null, 'timeZone', u.time_zone,
    'language', u.language,
    'lastSignInAt', u.last_sign_in_at, 'createdAt', u.created_at,
    'roles', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', r.id, 'name', r.name) order by lower(r.name)), '[]')
              from system.role_members m join system.roles r on r.id = m.role_id where m.user_id = u.id),
    'apiAccess', ${hasAccess})`,
  sortKey: "system.fold(u.email)",
  searched: "u.email || ' ' || u.name",
};

/** Lists the users by address, including system accounts. */
export async function listUsers(
  database: Queryable,
  request: PageRequest & { readonly active: boolean | null; readonly apiAccess: boolean | null },
): Promise<Page<User>> {
  const textOf = (value: boolean | null) => (value === null ? null : String(value));
  return listRecords(database, kind, request, [
    { value: textOf(request.active), sql: (value) => `u.active = ${value}::boolean` },
    { value: textOf(request.apiAccess), sql: (value) => `${hasAccess} = ${value}::boolean` },
  ]);
}

/**
 * Returns one user with their roles.
 *
 * @throws AppError NOT_FOUND
 */
export async function readUser(database: Queryable, id: string): Promise<User> {
  return readRecord(database, kind, id);
}

/** The entity tag of a user, without quotes. Roles and sign-ins do not affect it. */
export function tagOfUser({ roles, apiAccess, lastSignInAt, ...account }: User): string {
  return entityTagOf(JSON.stringify(account));
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
  input: NewUser,
  actor: AuditActor,
  checkPassword: CheckPassword,
): Promise<User> {
  const { email, name, password, timeZone } = input;
  const language = languageOf(input.language);
  throwFaults([
    ...(password === undefined
      ? []
      : checkPassword(password, "/data/password", [email, name ?? ""])),
    ...checkTimeZone(timeZone),
    ...checkLanguage(input.language),
  ]);
  await requireLegibleName(name);
  const passwordHash = password === undefined ? null : await hashPassword(password);
  const insert = async ({ orm }: Transaction) => {
    const [row] = await orm
      .insert(schema.users)
      .values({ email, name, timeZone, language, passwordHash, emailVerifiedAt: sql`now()` })
      .returning({ id: schema.users.id });
    return row?.id;
  };
  return createRecord(database, kind, input, insert, actor, addressTaken);
}

/**
 * Changes the given fields of a user. Deactivation revokes the user's sessions.
 *
 * @param ifMatch the tags of `If-Match`
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; BODY_INVALID for an unknown time zone or language; CONFLICT for the
 * address of another user, for a system account and for the last active administrator; ACTION_DENIED for a token that
 * changes the address or the state of its owner
 */
export async function updateUser(
  database: Database,
  id: string,
  changes: UserChanges,
  actor: AuditActor,
  ifMatch?: readonly string[],
): Promise<User> {
  throwFaults([...checkTimeZone(changes.timeZone), ...checkLanguage(changes.language)]);
  const { emailVerified, ...columns } = changes;
  const changedFields = Object.keys(changes);
  const condition = { ifMatch, tagOf: tagOfUser };
  if (changedFields.length === 0) return readMatching(database, kind, id, condition);
  const update = async (transaction: Transaction) => {
    await requireChangeable(transaction, id);
    await requireLegibleName(
      changes.name,
      undefined,
      async () => (await readUser(transaction, id)).name,
    );
    await transaction.orm
      .update(schema.users)
      .set({
        ...columns,
        ...(changes.language == null ? {} : { language: languageOf(changes.language) }),
        ...(emailVerified === undefined
          ? {}
          : { emailVerifiedAt: emailVerified ? sql`system.clock()` : null }),
        updatedAt: sql`now()`,
      })
      .where(eq(schema.users.id, id));
  };
  const options = { action: actionOf(changes), conflict: addressTaken, condition };
  return updateRecord(database, kind, id, changedFields, update, actor, options);
}

const addressTaken: Conflict = {
  path: "/data/email",
  message: "Another user has this address",
};

/** Locks the user, so that changes of one account are serialized. */
async function requireChangeable(transaction: Transaction, id: string): Promise<void> {
  const [row] = await transaction.orm
    .select({ isSystem: schema.users.isSystem })
    .from(schema.users)
    .where(eq(schema.users.id, id))
    .for("update");
  if (requireFound(row).isSystem) {
    throw createError("CONFLICT", { message: "A system account cannot be changed" });
  }
}

function actionOf(changes: UserChanges): AuditAction {
  const isOnlyActive = changes.active !== undefined && Object.keys(changes).length === 1;
  if (!isOnlyActive) return "user.update";
  return changes.active === true ? "user.activate" : "user.deactivate";
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

function languageOf(tag: string | null | undefined): string | null | undefined {
  return tag == null ? tag : canonicalLanguage(tag);
}
