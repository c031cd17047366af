import { checkPassword, hashPassword } from "@rowhouse/access";
import {
  type AuditActor,
  type Conflict,
  type Database,
  isUuid,
  makeChange,
  type Page,
  type PageRequest,
  type Queryable,
  readCursor,
  requireFound,
  schema,
  type Transaction,
  toPage,
} from "@rowhouse/db";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { isStorableText } from "@rowhouse/json";
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
}

export interface NewUser {
  readonly email: string;
  readonly name?: string | undefined;
  /** Without one the user cannot sign in with a password. */
  readonly password?: string | undefined;
  readonly timeZone?: string | null | undefined;
  /** A language tag: what mails are written in, where there are templates for it. */
  readonly language?: string | null | undefined;
}

export interface UserChanges {
  /** Not verified unless `emailVerified` says so. Links to the old address end, and the old address gets a mail. */
  readonly email?: string | undefined;
  /** Whether the administrator vouches for the address; the audit log has it. */
  readonly emailVerified?: boolean | undefined;
  readonly name?: string | undefined;
  /** An IANA name, or null for the instance's own. */
  readonly timeZone?: string | null | undefined;
  readonly language?: string | null | undefined;
  readonly active?: boolean | undefined;
}

const userJson = `json_build_object('id', u.id, 'email', u.email, 'name', u.name, 'active', u.active,
  'isSystem', u.is_system, 'emailVerified', u.email_verified_at is not null, 'timeZone', u.time_zone,
  'language', u.language,
  'lastSignInAt', u.last_sign_in_at, 'createdAt', u.created_at,
  'roles', (select coalesce(json_agg(json_build_object('id', r.id, 'name', r.name) order by r.name), '[]')
            from system.role_members m join system.roles r on r.id = m.role_id where m.user_id = u.id))`;

/** The users by address, system accounts included. */
export async function listUsers(
  database: Queryable,
  request: PageRequest & { readonly active: boolean | null },
): Promise<Page<User>> {
  const [afterEmail, afterId] = readCursor(request.cursor, [isStorableText, isUuid]);
  const rows = await database.query<{ key: string; user: User }>(
    `select lower(u.email) as key, ${userJson} as user from system.users u
     where ($1::text is null or position(lower($1::text) in lower(u.email || ' ' || u.name)) > 0)
       and ($2::text is null or u.active = $2::text::boolean)
       and ($3::text is null or (lower(u.email), u.id) > ($3::text, $4::text::uuid))
     order by lower(u.email), u.id limit $5::text::integer`,
    [
      request.search,
      request.active === null ? null : String(request.active),
      afterEmail,
      afterId,
      String(request.limit + 1),
    ],
  );
  const { items, nextCursor } = toPage(rows, request.limit, ({ key, user }) => [key, user.id]);
  return { items: items.map((row) => row.user), nextCursor };
}

/**
 * One user with their roles.
 *
 * @throws AppError NOT_FOUND
 */
export async function readUser(database: Queryable, id: string): Promise<User> {
  const [row] = await database.query<{ user: User }>(
    `select ${userJson} as user from system.users u where u.id = $1::text::uuid`,
    [id],
  );
  return requireFound(row).user;
}

/**
 * Creates a user without roles. The administrator vouches for the address, so it counts as verified.
 *
 * @throws AppError BODY_INVALID for a password that is too short or too common, or an unknown time zone; CONFLICT for
 * an address that has an account, whatever its case
 */
export async function createUser(
  database: Database,
  input: NewUser,
  actor: AuditActor,
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
  const passwordHash = password === undefined ? null : await hashPassword(password);
  return makeChange(
    database,
    actor,
    async (transaction) => {
      const [row] = await transaction.orm
        .insert(schema.users)
        .values({ email, name, timeZone, language, passwordHash, emailVerifiedAt: sql`now()` })
        .returning({ id: schema.users.id });
      const { id } = requireFound(row);
      return {
        result: await readUser(transaction, id),
        entry: {
          action: "user.create",
          targetKind: "user",
          targetId: id,
          changedFields: Object.keys(input),
        },
      };
    },
    addressTaken,
  );
}

/**
 * Changes what is given of a user. Deactivation ends the user's sessions.
 *
 * @throws AppError NOT_FOUND; BODY_INVALID for an unknown time zone or language; CONFLICT for an address that another
 * user has, for a system account and for the last active administrator; ACTION_DENIED for a token that changes the address
 * or the state of its owner
 */
export async function updateUser(
  database: Database,
  id: string,
  changes: UserChanges,
  actor: AuditActor,
): Promise<User> {
  throwFaults([...checkTimeZone(changes.timeZone), ...checkLanguage(changes.language)]);
  const { emailVerified, ...columns } = changes;
  const changedFields = Object.keys(changes);
  if (changedFields.length === 0) return readUser(database, id);
  return makeChange(
    database,
    actor,
    async (transaction) => {
      await requireChangeable(transaction, id);
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
      return {
        result: await readUser(transaction, id),
        entry: { action: actionOf(changes), targetKind: "user", targetId: id, changedFields },
      };
    },
    addressTaken,
  );
}

const addressTaken: Conflict = {
  path: "/data/email",
  message: "Another user has this address",
};

/** Locks the user, so that two changes of one account follow one another. */
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

function actionOf(changes: UserChanges): string {
  const isOnlyActive = changes.active !== undefined && Object.keys(changes).length === 1;
  if (!isOnlyActive) return "user.update";
  return changes.active === true ? "user.activate" : "user.deactivate";
}

function checkTimeZone(name: string | null | undefined): Fault[] {
  if (name == null || isTimeZone(name)) return [];
  const message = "An IANA time zone name, such as Europe/Oslo";
  return [createFault("BODY_INVALID", { path: "/data/timeZone", message })];
}

function checkLanguage(tag: string | null | undefined): Fault[] {
  if (tag == null || canonicalLanguage(tag) !== undefined) return [];
  const message = "A language tag, like de or pt-BR";
  return [createFault("BODY_INVALID", { path: "/data/language", message })];
}

function languageOf(tag: string | null | undefined): string | null | undefined {
  return tag == null ? tag : canonicalLanguage(tag);
}
