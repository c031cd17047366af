import { verifyPassword } from "@rowhouse/access";
import { appendAuditEntry, type Database } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { actorOf, type Origin } from "../origin.ts";
import { forgetAttempts, takeAttempt } from "../sign-in-throttle.ts";

export interface OwnPassword {
  readonly email: string;
  readonly name: string;
  readonly hash: string;
}

/**
 * Requires one's own password, for what a session alone may not do. Guesses are throttled together with sign-ins, and
 * wrong ones are in the audit log.
 *
 * @param action what it is required for, as the audit log calls it
 * @throws AppError BODY_INVALID at /currentPassword; for an account without a password always
 */
export async function requireOwnPassword(
  database: Database,
  userId: string,
  password: string,
  action: string,
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
  const isRight = await verifyPassword(hash, password);
  if (user === undefined || hash === null || !isLetThrough || !isRight) {
    await appendAuditEntry(database, actorOf(userId, origin), {
      action,
      targetKind: "user",
      targetId: userId,
      outcome: "FAILED",
    });
    throw wrongPassword();
  }
  await forgetAttempts(database, user.email);
  return { email: user.email, name: user.name, hash };
}

/** What is said of a current password that is none. */
export function wrongPassword(): Error {
  return createError("BODY_INVALID", {
    path: "/currentPassword",
    message: "This is not the current password",
  });
}
