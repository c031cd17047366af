import {
  createSecret,
  digestSecret,
  hashPassword,
  needsRehash,
  verifyPassword,
} from "@rowhouse/access";
import {
  type AuditActor,
  appendAuditEntry,
  type Database,
  type Snapshot,
  toAppError,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";

export interface SignInInput {
  readonly email: string;
  readonly password: string;
}

/** From where a request came, for sessions and the audit log. */
export interface Origin {
  readonly address: string;
  readonly requestId: string;
  readonly userAgent: string | null;
}

/** A user as sign-in shows it (spec §2, User). */
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

/** Failures in a row after which an account is locked for a while. */
const failuresMax = 10;
const lockMinutes = 15;

/**
 * Signs in with email and password. Every failure does the same work and gives the same answer, whatever the reason;
 * an unverified address shows only after the right password (spec §5.6).
 *
 * @throws AppError INVALID_CREDENTIALS, EMAIL_NOT_VERIFIED
 */
export async function signIn(
  database: Database,
  snapshot: Snapshot,
  input: SignInInput,
  origin: Origin,
): Promise<SignedIn> {
  try {
    const account = await findAccount(database, input.email);
    const isRight = await verifyPassword(account?.password_hash ?? null, input.password);
    if (account === undefined || !isRight || !account.may_sign_in) {
      await recordFailure(database, account, isRight, origin);
      throw createError("INVALID_CREDENTIALS");
    }
    if (!account.email_verified) throw createError("EMAIL_NOT_VERIFIED");
    return await createSession(database, snapshot, account, input.password, origin);
  } catch (error) {
    throw toAppError(error);
  }
}

async function findAccount(database: Database, email: string): Promise<AccountRow | undefined> {
  // Text that Postgres cannot hold is nobody's address.
  const address = email.includes("\0") || !email.isWellFormed() ? "" : email;
  const [account] = await database.query<AccountRow>(
    `select u.id, u.email, u.name, u.password_hash,
       u.active and not u.is_system and coalesce(u.locked_until <= now(), true)
         and exists (select 1 from system.role_members m join system.roles r on r.id = m.role_id
                     where m.user_id = u.id and r.api_access) as may_sign_in,
       u.email_verified_at is not null as email_verified
     from system.users u where lower(u.email) = lower($1::text)`,
    [address],
    { prepare: true },
  );
  return account;
}

async function recordFailure(
  database: Database,
  account: AccountRow | undefined,
  wasRight: boolean,
  origin: Origin,
): Promise<void> {
  await database.transaction(async (transaction) => {
    if (account !== undefined && !wasRight) {
      await transaction.query(
        `update system.users set failed_sign_ins = failed_sign_ins + 1,
           locked_until = case when failed_sign_ins + 1 >= ${failuresMax}
             then now() + interval '${lockMinutes} minutes' else locked_until end
         where id = $1::text::uuid`,
        [account.id],
      );
    }
    await appendAuditEntry(transaction, actorOf(null, origin), {
      action: "session.create",
      targetKind: "user",
      targetId: account?.id ?? null,
      outcome: "FAILED",
    });
  });
}

async function createSession(
  database: Database,
  snapshot: Snapshot,
  account: AccountRow,
  password: string,
  origin: Origin,
): Promise<SignedIn> {
  const token = createSecret("SESSION");
  const hours = settingsOf(snapshot)["auth.session_ttl_hours"];
  const rehashed =
    account.password_hash !== null && needsRehash(account.password_hash)
      ? await hashPassword(password)
      : null;
  await database.transaction(async (transaction) => {
    const [session] = await transaction.query<{ id: string }>(
      `insert into system.sessions (user_id, digest, method, address, user_agent, expires_at)
       values ($1::text::uuid, $2::text::bytea, 'password', $3::text::inet, $4::text, now() + make_interval(hours => $5::text::integer))
       returning id`,
      [
        account.id,
        digestSecret(token),
        origin.address,
        origin.userAgent?.slice(0, 500) ?? null,
        String(hours),
      ],
    );
    await transaction.query(
      `update system.users set failed_sign_ins = 0, locked_until = null, last_sign_in_at = now(),
         password_hash = coalesce($2::text, password_hash) where id = $1::text::uuid`,
      [account.id, rehashed],
    );
    await appendAuditEntry(transaction, actorOf(account.id, origin), {
      action: "session.create",
      targetKind: "session",
      targetId: session?.id ?? null,
    });
  });
  return { token, user: { id: account.id, email: account.email, name: account.name } };
}

/** The audit log's view of someone who acts with a session, or with no credential at all. */
export function actorOf(userId: string | null, origin: Origin): AuditActor {
  return { userId, tokenId: null, address: origin.address, requestId: origin.requestId };
}
