import {
  type AuditActor,
  type Database,
  makeChange,
  type Page,
  type PageRequest,
  quoteIdentifier,
  readCursor,
  readPostgresFailure,
  toPage,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { isStorableText } from "@rowhouse/wire";
import { lockTimeout } from "./base/transaction-settings.ts";
import { requireSchema } from "./require-schema.ts";
import { isReservedSchema } from "./type-name.ts";

/** A schema with the numbers of its resources. */
export interface SchemaSummary {
  readonly name: string;
  readonly comment: string | null;
  readonly tables: number;
  readonly views: number;
}

const reservedPattern = "^pg_|^(information_schema|system|rowhouse_queue)$";

/** Lists the user schemas by name. */
export async function listSchemas(
  database: Database,
  request: PageRequest,
): Promise<Page<SchemaSummary>> {
  const [after] = readCursor(request.cursor, [isStorableText]);
  const rows = await database.query<{ name: string; comment: string | null; counts: string }>(
    `select n.nspname as name, obj_description(n.oid, 'pg_namespace') as comment,
       (select pg_catalog.json_build_array(pg_catalog.count(*) filter (where kind = 'TABLE'), pg_catalog.count(*) filter (where kind = 'VIEW'))
        from system.registrable_relations where schema_name = n.nspname)::text as counts
     from pg_catalog.pg_namespace n
     where n.nspname !~ $1::text and ($2::text is null or n.nspname > $2::text collate "C")
       and ($3::text is null or strpos(system.fold(n.nspname), system.fold($3::text)) > 0)
     order by n.nspname collate "C" limit $4::text::int`,
    [reservedPattern, after, request.search, String(request.limit + 1)],
  );
  const schemas = rows.map(({ name, comment, counts }): SchemaSummary => {
    const [tables = 0, views = 0] = JSON.parse(counts) as number[];
    return { name, comment, tables, views };
  });
  return toPage(schemas, request.limit, (schema) => [schema.name]);
}

/**
 * Creates a schema and writes the audit entry in one transaction.
 *
 * @throws AppError CONFLICT for a name in use or a reserved name
 */
export async function createSchema(
  database: Database,
  name: string,
  actor: AuditActor,
): Promise<SchemaSummary> {
  const path = "/data/name";
  if (isReservedSchema(name)) {
    throw createError("CONFLICT", { path, message: "This name is reserved" });
  }
  return makeChange(database, actor, async (transaction) => {
    try {
      await transaction.asService.query(`create schema ${quoteIdentifier(name)}`);
    } catch (error) {
      throw toSchemaError(error, path);
    }
    return {
      result: { name, comment: null, tables: 0, views: 0 },
      entry: {
        action: "schema.create",
        targetKind: "schema",
        targetId: name,
        changedFields: ["name"],
      },
    };
  });
}

/** Returns the error for a schema that could not be created. */
function toSchemaError(error: unknown, path?: string): unknown {
  const code = readPostgresFailure(error)?.code;
  // 23505 is a unique index of the system catalog: another transaction took the name at the same moment.
  if (code === "42P06" || code === "23505") {
    const message = "A schema with this name already exists";
    return createError("CONFLICT", {
      ...(path === undefined ? {} : { path }),
      message,
      cause: error,
    });
  }
  if (code === "42501") {
    const message = "The service's database login lacks the privilege to create schemas";
    return createError("ACTION_DENIED", { message, cause: error });
  }
  return error;
}

/**
 * Drops an empty schema.
 *
 * @param confirm the schema's own name, as a protection against a wrong path
 * @throws AppError NOT_FOUND; QUERY_INVALID without the confirmation; CONFLICT for a schema that is not empty
 */
export async function dropSchema(
  database: Database,
  name: string,
  confirm: string | undefined,
  actor: AuditActor,
): Promise<void> {
  await requireSchema(database, name);
  if (confirm !== name) {
    const message = "Confirm with the schema's name";
    throw createError("QUERY_INVALID", { path: "confirm", message });
  }
  await makeChange(database, actor, async (transaction) => {
    await transaction.query(`set local lock_timeout = '${lockTimeout}'`);
    try {
      await transaction.asService.query(`drop schema ${quoteIdentifier(name)} restrict`);
    } catch (error) {
      const code = readPostgresFailure(error)?.code;
      if (code === "2BP01") {
        const message = "The schema is not empty: it contains tables, views, types or functions";
        throw createError("CONFLICT", { message, cause: error });
      }
      if (code === "3F000") throw createError("NOT_FOUND", { cause: error });
      if (code === "42501") {
        const message = "The service's database login lacks the privilege to drop this schema";
        throw createError("ACTION_DENIED", { message, cause: error });
      }
      throw error;
    }
    return {
      result: undefined,
      entry: { action: "schema.drop", targetKind: "schema", targetId: name },
    };
  });
}
