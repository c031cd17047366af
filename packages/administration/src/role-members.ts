import {
  type AuditActor,
  type Database,
  isUuid,
  makeChange,
  type Page,
  type PageRequest,
  type Queryable,
  readCursor,
  requireFound,
  toPage,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { isStorableText } from "@rowhouse/json";
import { readRole } from "./roles.ts";

/** A user as a role's list of members shows it. */
export interface RoleMember {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly active: boolean;
  readonly createdAt: string;
}

const memberJson = `json_build_object('userId', u.id, 'email', u.email, 'name', u.name, 'active', u.active,
  'createdAt', m.created_at)`;

/**
 * The members of a role by address.
 *
 * @throws AppError NOT_FOUND for the role
 */
export async function listRoleMembers(
  database: Queryable,
  roleId: string,
  request: PageRequest,
): Promise<Page<RoleMember>> {
  await readRole(database, roleId);
  const [afterEmail, afterId] = readCursor(request.cursor, [isStorableText, isUuid]);
  const rows = await database.query<{ key: string; member: RoleMember }>(
    `select lower(u.email) as key, ${memberJson} as member
     from system.role_members m join system.users u on u.id = m.user_id
     where m.role_id = $1::text::uuid
       and ($2::text is null or position(lower($2::text) in lower(u.email || ' ' || u.name)) > 0)
       and ($3::text is null or (lower(u.email), u.id) > ($3::text, $4::text::uuid))
     order by lower(u.email), u.id limit $5::text::integer`,
    [roleId, request.search, afterEmail, afterId, String(request.limit + 1)],
  );
  const { items, nextCursor } = toPage(rows, request.limit, (row) => [row.key, row.member.userId]);
  return { items: items.map((row) => row.member), nextCursor };
}

/**
 * Makes a user a member of a role. It counts from the user's next request on.
 *
 * @throws AppError NOT_FOUND for the role, VALUE_INVALID for the user, CONFLICT for a member
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
    { path: "/data/userId", message: "This user is a member already" },
  );
}

/**
 * Ends a membership. It counts from the user's next request on.
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
