import type { Principal } from "@rowhouse/access";
import type { Queryable } from "@rowhouse/db";
import { type User, userRecords } from "@rowhouse/permissions";

/** A user whose permissions an administrator examines, in the form that the engine uses. */
export interface ExplainedUser {
  readonly user: User;
  readonly principal: Principal;
}

/**
 * Reads a user as the principal of a session.
 *
 * @throws AppError NOT_FOUND
 */
export async function readExplainedUser(database: Queryable, id: string): Promise<ExplainedUser> {
  const user = await userRecords.read(database, id);
  const principal = {
    userId: user.id,
    version: "",
    roleIds: user.roles.map((role) => role.id).sort(),
    session: null,
    tokenId: null,
    plane: null,
    client: null,
  };
  return { user, principal };
}
