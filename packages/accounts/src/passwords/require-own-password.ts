import { hashPassword, verifyPassword } from "@rowhouse/access";
import { type AuditAction, actAs, appendAuditEntry, type Database } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { auditActorOf, type Origin } from "../origin.ts";
import { forgetAttempts, takeAttempt } from "../sign-in-throttle.ts";

export interface OwnPassword {
  readonly email: string;
  readonly name: string;
  readonly hash: string;
}

/**
 * Requires the caller's own password, for actions that need more than a session. Attempts share the sign-in throttle,
 * and wrong ones are recorded in the audit log.
 *
 * @param action the audit log's name of the action that requires the password
 * @throws AppError BODY_INVALID at /currentPassword; always for an account without a password
 */
export async function requireOwnPassword(
  database: Database,
  userId: string,
  password: string,
  action: AuditAction,
  origin: Origin,
): Promise<OwnPassword> {
  const [user] = await database.query<{
    email: string;
    name: string;
    password_hash: string | null;
  }>(
    "select email, name, system.password_of(id) as password_hash from system.users where id = $1::text::uuid",
    [userId],
  );
  const isLetThrough = user !== undefined && (await takeAttempt(database, user.email));
  const hash = user?.password_hash ?? null;
  const { isRight, isOutdated } = await verifyPassword(hash, password);
  if (user === undefined || hash === null || !isLetThrough || !isRight) {
    await appendAuditEntry(database, auditActorOf(userId, origin), {
      action,
      targetKind: "user",
      targetId: userId,
      outcome: "FAILED",
    });
    throw wrongPassword();
  }
  await forgetAttempts(database, user.email);
  const { email, name } = user;
  return { email, name, hash: isOutdated ? await rehash(database, userId, hash, password) : hash };
}

/** Replaces the hash of a right password, unless the password changed meanwhile; the caller's write then fails. */
async function rehash(
  database: Database,
  userId: string,
  old: string,
  password: string,
): Promise<string> {
  const hash = await hashPassword(password);
  await database.transaction(async (transaction) => {
    await actAs(transaction, userId);
    await transaction.query(
      `update system.users set password_hash = $3::text
       where id = $1::text::uuid and system.password_of(id) = $2::text`,
      [userId, old, hash],
    );
  });
  return hash;
}

export function wrongPassword(): Error {
  return createError("BODY_INVALID", {
    path: "/currentPassword",
    message: "The current password is wrong",
  });
}
