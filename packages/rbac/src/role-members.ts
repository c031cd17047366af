import {
  type AuditActor,
  type Database,
  listRecords,
  makeChange,
  type Page,
  type PageRequest,
  type Queryable,
  type RecordSource,
  requireFound,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { readRole } from "./roles.ts";

/** A user in the list of a role's members. */
export interface RoleMember {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly active: boolean;
  readonly createdAt: string;
}

const memberJson = `json_build_object('userId', u.id, 'email', u.email, 'name', u.name, 'active', u.active,
  'createdAt', m.created_at)`;

const source: RecordSource = {
  from: "system.role_members m join system.users u on u.id = m.user_id",
  id: "u.id",
  json: memberJson,
  sortKey: "lower(u.email)",
  searched: "u.email || ' ' || u.name",
};

/**
 * Lists the members of a role by address.
 *
 * @throws AppError NOT_FOUND for the role
 */
export async function listRoleMembers(
  database: Queryable,
  roleId: string,
  request: PageRequest,
): Promise<Page<RoleMember>> {
  await readRole(database, roleId);
  return listRecords(database, source, request, [
    { value: roleId, sql: (value) => `m.role_id = ${value}::uuid` },
  ]);
}

/**
 * Adds a user to a role. The membership applies from the user's next request on.
 *
 * @throws AppError NOT_FOUND for the role, VALUE_INVALID for the user, CONFLICT for an existing member
 */
export async function addRoleMember(
  database: Database,
  roleId: string,
  userId: string,
  actor: AuditActor,
): Promise<RoleMember> {
  return makeChange(
    database,
    actor,
    async (transaction) => {
      const [role] = await transaction.query(
        "select 1 from system.roles where id = $1::text::uuid for key share",
        [roleId],
      );
      requireFound(role);
      const [user] = await transaction.query(
        "select 1 from system.users where id = $1::text::uuid for key share",
        [userId],
      );
      if (user === undefined) {
        throw createError("VALUE_INVALID", { path: "/data/userId", message: "No such user" });
      }
      const [row] = await transaction.query<{ member: RoleMember }>(
        `with m as (insert into system.role_members (role_id, user_id)
                    values ($1::text::uuid, $2::text::uuid) returning user_id, created_at)
         select ${memberJson} as member from m join system.users u on u.id = m.user_id`,
        [roleId, userId],
      );
      return {
        result: requireFound(row).member,
        entry: entryOf("role_member.create", roleId, userId),
      };
    },
    { path: "/data/userId", message: "This user is already a member" },
  );
}

/**
 * Removes a user from a role. The removal applies from the user's next request on.
 *
 * @throws AppError NOT_FOUND; CONFLICT for the last active administrator
 */
export async function removeRoleMember(
  database: Database,
  roleId: string,
  userId: string,
  actor: AuditActor,
): Promise<void> {
  await makeChange(database, actor, async (transaction) => {
    const rows = await transaction.query(
      `delete from system.role_members where role_id = $1::text::uuid and user_id = $2::text::uuid
       returning user_id`,
      [roleId, userId],
    );
    requireFound(rows[0]);
    return { result: undefined, entry: entryOf("role_member.delete", roleId, userId) };
  });
}

function entryOf(action: string, roleId: string, userId: string) {
  return { action, targetKind: "role_member", targetId: `${roleId}/${userId}` };
}
