import { hashPassword } from "@rowhouse/access";
import {
  actAs,
  appendAuditEntry,
  type Database,
  type Queryable,
  schema,
  type Transaction,
  toAppError,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { eq, sql } from "drizzle-orm";
import { mayBeAddress } from "./address.ts";
import { generatePassword } from "./generate-password.ts";
import { forgetAttempts } from "./sign-in-throttle.ts";

const { roles, users } = schema;

/** The result of a reset: the operator's sign-in. */
export interface ResetAdministrator {
  readonly email: string;
  /** Shown once and never stored. */
  readonly password: string;
  /** State of the account before: missing, a user, or an administrator. */
  readonly was: "NOTHING" | "USER" | "ADMINISTRATOR";
}

/**
 * Sets a new password for an account and makes it an active administrator with a verified address. An operator with
 * access to the database regains access this way. Ends the account's sessions and links, unlocks its address, and
 * writes to the audit log.
 *
 * @param email the address of an account or of a new account; null selects the only administrator
 * @throws AppError VALUE_INVALID for an invalid address; CONFLICT if `email` is null and there is not exactly one
 * administrator, or if it names a system account
 */
export async function resetAdministrator(
  database: Database,
  email: string | null,
): Promise<ResetAdministrator> {
  const password = generatePassword();
  const hash = await hashPassword(password);
  try {
    return await database.transaction(async (transaction) => {
      const administrators = await listAdministrators(transaction);
      const [first] = administrators;
      if (email === null && (first === undefined || administrators.length > 1)) {
        throw createError("CONFLICT", { message: whichOne(administrators) });
      }
      const address = email ?? first?.email ?? "";
      const account = await findAccount(transaction, address);
      if (account?.is_system === true) {
        throw createError("CONFLICT", { message: "A system account cannot sign in" });
      }
      const known = account ?? (await createAccount(transaction, address));
      const isMember = account?.is_administrator === true;
      if (!isMember) {
        await actAs(transaction, first?.id ?? null);
        await transaction.query(
          `insert into system.role_members (role_id, user_id)
           select id, $1::text::uuid from system.roles where is_administrators`,
          [known.id],
        );
      }
      // The guards let an account change its own credentials.
      await actAs(transaction, known.id);
      await transaction.orm
        .update(users)
        .set({
          passwordHash: hash,
          active: true,
          updatedAt: sql`system.clock()`,
          emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, system.clock())`,
        })
        .where(eq(users.id, known.id));
      for (const table of ["sessions", "links", "sign_in_codes"]) {
        await transaction.query(`delete from system.${table} where user_id = $1::text::uuid`, [
          known.id,
        ]);
      }
      await forgetAttempts(transaction, known.email);
      await appendAuditEntry(
        transaction,
        { userId: null, tokenId: null, address: null, requestId: null },
        {
          action: "user.reset_administrator",
          targetKind: "user",
          targetId: known.id,
          changedFields: ["password"],
        },
      );
      const was = isMember ? "ADMINISTRATOR" : account === undefined ? "NOTHING" : "USER";
      return { email: known.email, password, was };
    });
  } catch (error) {
    throw toAppError(error);
  }
}

interface Account {
  id: string;
  email: string;
}

/** Lists the active administrators. Locks the role, which serializes concurrent resets. */
async function listAdministrators(transaction: Transaction): Promise<Account[]> {
  await transaction.orm
    .select({ id: roles.id })
    .from(roles)
    .where(eq(roles.isAdministrators, true))
    .for("update");
  return transaction.query<Account>(
    `select u.id, u.email from system.users u
     where u.active and not u.is_system and exists (
       select from system.role_members m join system.roles r on r.id = m.role_id and r.is_administrators
       where m.user_id = u.id)
     order by u.email`,
  );
}

/** Maximum number of addresses in a message. */
const namedMax = 10;

function whichOne(administrators: readonly Account[]): string {
  if (administrators.length === 0) return "There is no active administrator: name an address";
  const named = administrators.slice(0, namedMax).map(({ email }) => email);
  const more = administrators.length > namedMax ? ", …" : "";
  return `There are ${administrators.length} administrators: name one of ${named.join(", ")}${more}, or another address`;
}

async function findAccount(
  transaction: Queryable,
  email: string,
): Promise<(Account & { is_system: boolean; is_administrator: boolean }) | undefined> {
  if (!mayBeAddress(email)) return undefined;
  const [account] = await transaction.query<
    Account & { is_system: boolean; is_administrator: boolean }
  >(
    `select u.id, u.email, u.is_system, exists (
       select from system.role_members m join system.roles r on r.id = m.role_id and r.is_administrators
       where m.user_id = u.id) as is_administrator
     from system.users u where system.fold(u.email) = system.fold($1::text) for update`,
    [email],
  );
  return account;
}

/** The same pattern as in the Admin API. */
const addressForm = /^[^@\s\p{C}]+@[^@\s\p{C}]+\.[^@\s\p{C}]+$/u;

async function createAccount({ orm }: Transaction, email: string): Promise<Account> {
  if (!mayBeAddress(email) || !addressForm.test(email)) {
    throw createError("VALUE_INVALID", { message: `${email} is not an email address` });
  }
  const [account] = await orm
    .insert(users)
    .values({ email, name: "Administrator" })
    .returning({ id: users.id, email: users.email });
  if (account === undefined) throw new Error("The account was not created");
  return account;
}
