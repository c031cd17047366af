import {
  type AuditActor,
  type Conflict,
  type Database,
  isUuid,
  makeChange,
  type Page,
  type PageRequest,
  type Queryable,
  readCursor,
  requireFound,
  schema,
  toPage,
} from "@rowhouse/db";
import { isStorableText } from "@rowhouse/json";
import { eq } from "drizzle-orm";

export interface Role {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly apiAccess: boolean;
  readonly tokenCreation: boolean;
  readonly isAdministrators: boolean;
  readonly createdAt: string;
}

/** What an administrator says of a new role. */
export interface RoleInput extends RoleChanges {
  readonly name: string;
}

export interface RoleChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Whether its members may sign in and use the API. */
  readonly apiAccess?: boolean | undefined;
  /** Whether its members may create tokens for themselves. */
  readonly tokenCreation?: boolean | undefined;
}

const roleJson = `json_build_object('id', r.id, 'name', r.name, 'description', r.description,
  'apiAccess', r.api_access, 'tokenCreation', r.token_creation, 'isAdministrators', r.is_administrators,
  'createdAt', r.created_at)`;

const nameTaken: Conflict = { path: "/data/name", message: "Another role has this name" };

/** The roles by name. */
export async function listRoles(database: Queryable, request: PageRequest): Promise<Page<Role>> {
  const [afterName, afterId] = readCursor(request.cursor, [isStorableText, isUuid]);
  const rows = await database.query<{ key: string; role: Role }>(
    `select lower(r.name) as key, ${roleJson} as role from system.roles r
     where ($1::text is null or position(lower($1::text) in lower(r.name)) > 0)
       and ($2::text is null or (lower(r.name), r.id) > ($2::text, $3::text::uuid))
     order by lower(r.name), r.id limit $4::text::integer`,
    [request.search, afterName, afterId, String(request.limit + 1)],
  );
  const { items, nextCursor } = toPage(rows, request.limit, ({ key, role }) => [key, role.id]);
  return { items: items.map((row) => row.role), nextCursor };
}

/**
 * One role.
 *
 * @throws AppError NOT_FOUND
 */
export async function readRole(database: Queryable, id: string): Promise<Role> {
  const [row] = await database.query<{ role: Role }>(
    `select ${roleJson} as role from system.roles r where r.id = $1::text::uuid`,
    [id],
  );
  return requireFound(row).role;
}

/**
 * Creates a role without members and grants.
 *
 * @throws AppError CONFLICT for a name that another role has, whatever its case
 */
export async function createRole(
  database: Database,
  input: RoleInput,
  actor: AuditActor,
): Promise<Role> {
  return makeChange(
    database,
    actor,
    async (transaction) => {
      const [row] = await transaction.orm
        .insert(schema.roles)
        .values({ ...input })
        .returning({ id: schema.roles.id });
      const { id } = requireFound(row);
      return {
        result: await readRole(transaction, id),
        entry: {
          action: "role.create",
          targetKind: "role",
          targetId: id,
          changedFields: Object.keys(input),
        },
      };
    },
    nameTaken,
  );
}

/**
 * Changes what is given of a role.
 *
 * @throws AppError NOT_FOUND; CONFLICT for a name that is taken, and for Administrators without API access
 */
export async function updateRole(
  database: Database,
  id: string,
  input: RoleChanges,
  actor: AuditActor,
): Promise<Role> {
  const changedFields = Object.keys(input);
  if (changedFields.length === 0) return readRole(database, id);
  return makeChange(
    database,
    actor,
    async (transaction) => {
      await transaction.orm
        .update(schema.roles)
        .set({ ...input })
        .where(eq(schema.roles.id, id));
      return {
        result: await readRole(transaction, id),
        entry: { action: "role.update", targetKind: "role", targetId: id, changedFields },
      };
    },
    nameTaken,
  );
}

/**
 * Deletes a role, its memberships and its grants.
 *
 * @throws AppError NOT_FOUND; CONFLICT for Administrators
 */
export async function deleteRole(database: Database, id: string, actor: AuditActor): Promise<void> {
  await makeChange(database, actor, async (transaction) => {
    const rows = await transaction.orm
      .delete(schema.roles)
      .where(eq(schema.roles.id, id))
      .returning({ id: schema.roles.id });
    requireFound(rows[0]);
    return {
      result: undefined,
      entry: { action: "role.delete", targetKind: "role", targetId: id },
    };
  });
}
