import {
  type AuditActor,
  type Conflict,
  createRecord,
  type Database,
  deleteRecord,
  entityTagOf,
  listRecords,
  type Page,
  type PageRequest,
  type Queryable,
  type RecordKind,
  readMatching,
  readRecord,
  requireLegibleName,
  schema,
  type Transaction,
  updateRecord,
} from "@rowhouse/db";
import { requireRegistrationAccess } from "@rowhouse/settings";
import { eq } from "drizzle-orm";

export interface Role {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly apiAccess: boolean;
  readonly tokenCreation: boolean;
  readonly isAdministrators: boolean;
  readonly memberCount: number;
  readonly createdAt: string;
}

/** The input of an administrator for a new role. */
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

const kind: RecordKind = {
  name: "role",
  table: schema.roles,
  from: "system.roles r",
  id: "r.id",
  json: `pg_catalog.json_build_object('id', r.id, 'name', r.name, 'description', r.description,
    'apiAccess', r.api_access, 'tokenCreation', r.token_creation, 'isAdministrators', r.is_administrators,
    'memberCount', (select pg_catalog.count(*) from system.role_members m where m.role_id = r.id),
    'createdAt', r.created_at)`,
  sortKey: "system.fold(r.name)",
  searched: "r.name",
};

const nameTaken: Conflict = { path: "/data/name", message: "Another role has this name" };

/** Lists the roles by name. */
export async function listRoles(database: Queryable, request: PageRequest): Promise<Page<Role>> {
  return listRecords(database, kind, request);
}

/**
 * Returns one role.
 *
 * @throws AppError NOT_FOUND
 */
export async function readRole(database: Queryable, id: string): Promise<Role> {
  return readRecord(database, kind, id);
}

/** The entity tag of a role, without quotes. Its members do not affect it. */
export function tagOfRole({ memberCount, ...definition }: Role): string {
  return entityTagOf(JSON.stringify(definition));
}

/**
 * Creates a role without members and grants.
 *
 * @throws AppError CONFLICT for the name of another role, compared without case
 */
export async function createRole(
  database: Database,
  input: RoleInput,
  actor: AuditActor,
): Promise<Role> {
  await requireLegibleName(input.name);
  const insert = async ({ orm }: Transaction) => {
    const [row] = await orm
      .insert(schema.roles)
      .values({ ...input })
      .returning({ id: schema.roles.id });
    return row?.id;
  };
  return createRecord(database, kind, input, insert, actor, nameTaken);
}

/**
 * Changes the given fields of a role.
 *
 * @param ifMatch the tags of `If-Match`
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT for a name in use, and for removing the API access of
 * Administrators, or of the role that registration gives
 */
export async function updateRole(
  database: Database,
  id: string,
  input: RoleChanges,
  actor: AuditActor,
  ifMatch?: readonly string[],
): Promise<Role> {
  const changedFields = Object.keys(input);
  const condition = { ifMatch, tagOf: tagOfRole };
  if (changedFields.length === 0) return readMatching(database, kind, id, condition);
  const update = async (transaction: Transaction) => {
    await requireLegibleName(
      input.name,
      undefined,
      async () => (await readRole(transaction, id)).name,
    );
    await transaction.orm
      .update(schema.roles)
      .set({ ...input })
      .where(eq(schema.roles.id, id));
    if (input.apiAccess === false) await requireRegistrationAccess(transaction, id);
  };
  const options = { conflict: nameTaken, condition };
  return updateRecord(database, kind, id, changedFields, update, actor, options);
}

/**
 * Deletes a role, its memberships and its grants.
 *
 * @throws AppError NOT_FOUND; CONFLICT for Administrators
 */
export async function deleteRole(database: Database, id: string, actor: AuditActor): Promise<void> {
  await deleteRecord(database, kind, id, actor);
}
