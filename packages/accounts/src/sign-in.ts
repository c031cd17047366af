import { hashPassword, verifyPassword } from "@rowhouse/access";
import {
  actAs,
  appendAuditEntry,
  type Database,
  type Queryable,
  type Snapshot,
  toAppError,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { mayBeAddress } from "./address.ts";
import { openSession } from "./open-session.ts";
import { auditActorOf, type Origin } from "./origin.ts";
import { forgetAttempts, takeAttempt } from "./sign-in-throttle.ts";

export interface SignInInput {
  readonly email: string;
  readonly password: string;
}

/** A user in the response of a sign-in. */
export interface UserSummary {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

export interface SignedIn {
  readonly token: string;
  readonly user: UserSummary;
}

interface AccountRow {
  id: string;
  email: string;
  name: string;
  password_hash: string | null;
  may_sign_in: boolean;
  email_verified: boolean;
}

/** Maximum length of a verified password, in characters; longer than any password that can be set. */
const guessMax = 1024;

/**
 * Signs in with email and password. All failures do the same work and return the same error; EMAIL_NOT_VERIFIED
 * appears only after the correct password.
 *
 * @throws AppError INVALID_CREDENTIALS, EMAIL_NOT_VERIFIED
 */
export async function signIn(
  database: Database,
  snapshot: Snapshot,
  input: SignInInput,
  origin: Origin,
): Promise<SignedIn> {
  // An address or password that no account can have is replaced by an empty text, so that its failure costs the same.
  const email = mayBeAddress(input.email) ? input.email : "";
  const password = input.password.length <= guessMax ? input.password : "";
  try {
    const isLetThrough = await takeAttempt(database, email);
    const account = await findAccount(database, email);
    const match = await verifyPassword(account?.password_hash ?? null, password);
    if (!isLetThrough || account === undefined || !match.isRight || !account.may_sign_in) {
      await recordFailure(database, account?.id ?? null, origin);
      throw createError("INVALID_CREDENTIALS");
    }
    await forgetAttempts(database, email);
    if (!account.email_verified && settingsOf(snapshot)["auth.require_email_verification"]) {
      await recordFailure(database, account.id, origin);
      throw createError("EMAIL_NOT_VERIFIED");
    }
    const rehashed = match.isOutdated ? await hashPassword(password) : null;
    return await enter(database, snapshot, account, rehashed, origin);
  } catch (error) {
    throw toAppError(error);
  }
}

/**
 * SQL condition: the user may sign in, that is, is active, is not a system account, and has a role with API access.
 */
export const maySignInSql = `u.active and not u.is_system
  and exists (select 1 from system.role_members m join system.roles r on r.id = m.role_id
              where m.user_id = u.id and r.api_access)`;

async function findAccount(database: Queryable, email: string): Promise<AccountRow | undefined> {
  const [account] = await database.query<AccountRow>(
    `select u.id, u.email, u.name, system.password_of(u.id) as password_hash, ${maySignInSql} as may_sign_in,
       u.email_verified_at is not null as email_verified
     from system.users u where system.fold(u.email) = system.fold($1::text)`,
    [email],
    { prepare: true },
  );
  return account;
}

async function recordFailure(
  database: Database,
  userId: string | null,
  origin: Origin,
): Promise<void> {
  await appendAuditEntry(database, auditActorOf(null, origin), {
    action: "session.create",
    targetKind: "user",
    targetId: userId,
    outcome: "FAILED",
  });
}

async function enter(
  database: Database,
  snapshot: Snapshot,
  account: AccountRow,
  rehashed: string | null,
  origin: Origin,
): Promise<SignedIn> {
  const { id, email, name, password_hash: hash } = account;
  const token = await database.transaction(async (transaction) => {
    if (rehashed !== null) await actAs(transaction, id);
    // No session opens if the password changed or the account was deactivated during verification.
    const [same] = await transaction.query(
      `update system.users u set password_hash = coalesce($3::text, $2::text)
       where u.id = $1::text::uuid and system.password_of(u.id) = $2::text and ${maySignInSql} returning 1`,
      [id, hash, rehashed],
    );
    return same === undefined
      ? undefined
      : openSession(transaction, snapshot, id, "password", origin);
  });
  if (token === undefined) {
    await recordFailure(database, id, origin);
    throw createError("INVALID_CREDENTIALS");
  }
  return { token, user: { id, email, name } };
}
