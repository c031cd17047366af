import { builtInType, parameterSql, type Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { callerRowSql } from "./caller.ts";
import { parseAuthorization } from "./credential.ts";
import { authenticationRequired } from "./principal.ts";

/**
 * Proves in a transaction that a credential still admits its owner to the Admin API, and keeps it so until the transaction
 * ends: it locks the rows of this credential, this user and this membership, and no others. Call it last, since a sign-out, a
 * revocation and a new use of the token wait for the transaction from then on.
 *
 * @throws AppError AUTHENTICATION_REQUIRED, ACTION_DENIED, as a request with the credential would
 */
export async function holdAdministrator(
  transaction: Queryable,
  authorization: string | null | undefined,
): Promise<void> {
  const credential = parseAuthorization(authorization);
  if (credential === undefined) throw authenticationRequired();
  const { kind, digest } = credential;
  const digestSql = parameterSql("$1", builtInType("bytea"));
  const [user] = await transaction.query<{ id: string }>(
    `select u.id from ${callerRowSql(kind, () => digestSql)} for share`,
    [digest],
    { readOnly: false },
  );
  if (user === undefined) throw authenticationRequired();
  const [membership] = await transaction.query(
    `select from system.role_members m join system.roles r on r.id = m.role_id
     where m.user_id = $1::uuid and r.is_administrators for share of m`,
    [user.id],
    { readOnly: false },
  );
  // A token of the admin plane is invalid once its owner has left Administrators.
  if (membership === undefined) {
    throw kind === "TOKEN" ? authenticationRequired() : createError("ACTION_DENIED");
  }
}
