import { hashPassword } from "@rowhouse/access";
import { appendAuditEntry, type Database } from "@rowhouse/db";
import { throwFaults } from "@rowhouse/errors";
import { checkPassword } from "./passwords/check-password.ts";

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
    const [role] = await transaction.query<{ id: string }>(
      "select id from system.roles where is_administrators for update",
    );
    if (role === undefined || (await hasAdministrator(transaction))) return false;
    const [user] = await transaction.query<{ id: string }>(
      `insert into system.users (email, name, password_hash, email_verified_at)
       values ($1::text, 'Administrator', $2::text, now()) returning id`,
      [input.email, hash],
    );
    if (user === undefined) throw new Error("The first administrator was not created");
    await transaction.query(
      "insert into system.role_members (role_id, user_id) values ($1::text::uuid, $2::text::uuid)",
      [role.id, user.id],
    );
    await appendAuditEntry(
      transaction,
      { userId: null, tokenId: null, address: null, requestId: null },
      { action: "user.create", targetKind: "user", targetId: user.id },
    );
    return true;
  });
}

/** Whether this installation has an administrator. */
export async function hasAdministrator(database: Pick<Database, "query">): Promise<boolean> {
  const rows = await database.query(
    `select 1 from system.role_members m join system.roles r on r.id = m.role_id and r.is_administrators
     join system.users u on u.id = m.user_id and u.active limit 1`,
  );
  return rows.length > 0;
}
