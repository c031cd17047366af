import {
  type AuditAction,
  type AuditActor,
  type Database,
  listRecords,
  makeChange,
  type Page,
  type PageRequest,
  type Queryable,
  type RecordSource,
  requireFound,
  schema,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { and, eq, sql } from "drizzle-orm";
import { roleRecords } from "./roles.ts";

/** A user in the list of a role's members. */
export interface RoleMember {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly active: boolean;
  readonly createdAt: string;
}

const { roleMembers, roles, users } = schema;

const source: RecordSource = {
  from: "system.role_members m join system.users u on u.id = m.user_id",
  id: "u.id",
  json: `pg_catalog.json_build_object('userId', u.id, 'email', u.email, 'name', u.name, 'active', u.active,
    'createdAt', m.created_at)`,
  sortKey: "system.fold(u.email)",
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
  await roleRecords.read(database, roleId);
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
    async ({ orm }) => {
      const [role] = await orm
        .select({ id: roles.id })
        .from(roles)
        .where(eq(roles.id, roleId))
        .for("key share");
      requireFound(role);
      const [user] = await orm
        .select({ userId: users.id, email: users.email, name: users.name, active: users.active })
        .from(users)
        .where(eq(users.id, userId))
        .for("key share");
      if (user === undefined) {
        throw createError("VALUE_INVALID", { path: "/data/userId", message: "No such user" });
      }
      const [member] = await orm
        .insert(roleMembers)
        .values({ roleId, userId })
        // As JSON, like the list's.
        .returning({ createdAt: sql<string>`pg_catalog.to_json(${roleMembers.createdAt})` });
      return {
        result: { ...user, ...requireFound(member) },
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
  await makeChange(database, actor, async ({ orm }) => {
    const [member] = await orm
      .delete(roleMembers)
      .where(and(eq(roleMembers.roleId, roleId), eq(roleMembers.userId, userId)))
      .returning({ userId: roleMembers.userId });
    requireFound(member);
    return { result: undefined, entry: entryOf("role_member.delete", roleId, userId) };
  });
}

function entryOf(action: AuditAction, roleId: string, userId: string) {
  return { action, targetKind: "role_member", targetId: `${roleId}/${userId}` };
}
