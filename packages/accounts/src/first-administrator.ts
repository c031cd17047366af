import { createSecret, digestSecret, hashPassword } from "@rowhouse/access";
import { appendAuditEntry, type Database, schema, type Transaction } from "@rowhouse/db";
import { throwFaults } from "@rowhouse/errors";
import { and, eq, sql } from "drizzle-orm";
import { checkPassword } from "./passwords/check-password.ts";

const { roleMembers, roles, users } = schema;

/**
 * Creates the first administrator, with a verified address, unless an administrator exists. If several processes try
 * at once, one succeeds.
 *
 * @returns whether this call created the account
 * @throws AppError BODY_INVALID for a password that is too short, too long or too common
 */
export async function createFirstAdministrator(
  database: Database,
  input: { readonly email: string; readonly password: string },
): Promise<boolean> {
  if (await hasAdministrator(database)) return false;
  throwFaults(checkPassword(input.password, "/password", [input.email]));
  const hash = await hashPassword(input.password);
  return database.transaction(async (transaction) => {
    const { orm } = transaction;
    const [role] = await orm
      .select({ id: roles.id })
      .from(roles)
      .where(eq(roles.isAdministrators, true))
      .for("update");
    if (role === undefined || (await hasAdministrator(transaction))) return false;
    const [user] = await orm
      .insert(users)
      .values({
        email: input.email,
        name: "Administrator",
        passwordHash: hash,
        emailVerifiedAt: sql`now()`,
      })
      .returning({ id: users.id });
    if (user === undefined) throw new Error("The first administrator was not created");
    await orm.insert(roleMembers).values({ roleId: role.id, userId: user.id });
    await appendAuditEntry(
      transaction,
      { userId: null, tokenId: null, address: null, requestId: null },
      { action: "user.create", targetKind: "user", targetId: user.id },
    );
    return true;
  });
}

/** Lifetime of the code, in minutes. */
export const firstSignInMinutes = 10;

/**
 * Creates a code that the page `/admin/auth/complete` exchanges for a session, once.
 *
 * @param email the address of an account
 * @throws Error if there is no such account
 */
export async function createFirstSignInCode(
  database: Pick<Database, "query">,
  email: string,
): Promise<string> {
  const code = createSecret("LINK");
  const rows = await database.query(
    `insert into system.sign_in_codes (digest, user_id, expires_at)
     select $1::text::bytea, id, system.clock() + interval '${firstSignInMinutes} minutes'
     from system.users where system.fold(email) = system.fold($2::text)
     returning 1`,
    [digestSecret(code), email],
  );
  if (rows.length === 0) throw new Error("The first administrator has no account");
  return code;
}

/** Whether this installation has an administrator. */
export async function hasAdministrator({ orm }: Pick<Transaction, "orm">): Promise<boolean> {
  const rows = await orm
    .select({ id: users.id })
    .from(roleMembers)
    .innerJoin(roles, and(eq(roles.id, roleMembers.roleId), eq(roles.isAdministrators, true)))
    .innerJoin(users, and(eq(users.id, roleMembers.userId), eq(users.active, true)))
    .limit(1);
  return rows.length > 0;
}
