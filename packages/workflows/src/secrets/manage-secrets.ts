import {
  type AuditActor,
  type Database,
  makeChange,
  type Page,
  type PageRequest,
  type Queryable,
  readCursor,
  requireFound,
  toPage,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { Vault } from "@rowhouse/vault";
import { isoMoment } from "../base/iso-moment.ts";
import { isSecretName, secretContextOf } from "./secret-name.ts";
import { signingKeyFault } from "./signing-key.ts";

/** A stored secret as administrators see it, without its value. */
export interface StoredSecret {
  /** The name that templates and documents use. */
  readonly name: string;
  readonly description: string;
  readonly createdAt: string;
  /** Time of the last change of value or description. */
  readonly updatedAt: string;
  /** Slugs of at most 100 workflows whose published version uses the secret; none for a secret of providers. */
  readonly usedBy: string[];
}

export interface NewSecret {
  readonly name: string;
  readonly value: string;
  readonly description?: string | undefined;
}

export interface SecretChanges {
  readonly value?: string | undefined;
  readonly description?: string | undefined;
}

export interface SecretDeps {
  readonly database: Database;
  readonly vault: Pick<Vault, "seal">;
}

/** The stored secrets of workflows, or those of providers. No secret serves both. */
export interface StoredSecrets {
  /** Lists secrets by name. @throws AppError QUERY_INVALID for an invalid cursor */
  list(database: Queryable, request: PageRequest): Promise<Page<StoredSecret>>;
  /** @throws AppError NOT_FOUND */
  read(database: Queryable, name: string): Promise<StoredSecret>;
  /** Encrypts and stores a secret. @throws AppError CONFLICT if the name is in use, VALUE_INVALID */
  create(deps: SecretDeps, secret: NewSecret, actor: AuditActor): Promise<StoredSecret>;
  /** Replaces the value or the description, for the next use. @throws AppError NOT_FOUND, VALUE_INVALID */
  update(
    deps: SecretDeps,
    name: string,
    changes: SecretChanges,
    actor: AuditActor,
  ): Promise<StoredSecret>;
  /** Deletes a secret. Steps that use it fail from then on. @throws AppError NOT_FOUND */
  remove(database: Database, name: string, actor: AuditActor): Promise<void>;
}

/** What happens with a new value. */
interface ValueRules {
  /** What it also sets. */
  readonly onValueSql?: string;
  /** Rejects it, after it is stored. @throws AppError VALUE_INVALID */
  readonly check?: (transaction: Queryable, name: string, value: string) => Promise<void>;
}

/** Requires that a value can be the key of each published signature that names its secret. */
async function requireSigningKey(
  transaction: Queryable,
  name: string,
  value: string,
): Promise<void> {
  const rows = await transaction.query<{ slug: string; kind: string }>(
    `select w.slug, v.definition #>> '{trigger,signature,kind}'::text[] as kind
     from system.workflows w join system.workflow_versions v on v.id = w.published_version_id
     where (v.definition #> '{trigger,signature,secrets}'::text[])::jsonb ? $1::text
     order by w.slug`,
    [name],
  );
  for (const { slug, kind } of rows) {
    const fault = signingKeyFault(kind, value);
    if (fault === undefined) continue;
    const message = `The value ${fault}: the webhook of "${slug}" checks signatures by it`;
    throw createError("VALUE_INVALID", { path: "/data/value", message });
  }
}

/** Secrets that workflows name. A published signature also decides which values can be stored. */
export const secretsOfWorkflows = secretsIn(
  "workflow",
  `array(
    select w.slug from system.workflows w join system.workflow_versions v on v.id = w.published_version_id
    where strpos(v.definition::text, s.name) > 0
      and (v.definition::text ~ ('\\{\\{\\s*secrets(\\.|\\[\\\\")' || s.name || '\\M')
        or (v.definition #> '{trigger,signature,secrets}'::text[])::jsonb ? s.name)
    order by w.slug limit 100)`,
  { check: requireSigningKey },
);
/** Secrets that documents of providers name. */
export const secretsOfProviders = secretsIn("provider", "'{}'::text[]", {
  onValueSql: "taken_for = null",
});

/**
 * @param usedBySql the slugs of the workflows that use a secret `s`
 */
function secretsIn(
  kind: "workflow" | "provider",
  usedBySql: string,
  { onValueSql, check }: ValueRules,
): StoredSecrets {
  const table = `system.${kind}_secrets`;
  const targetKind = `${kind}_secret` as const;
  const selectSql = `select name, description, ${isoMoment("created_at")} as "createdAt", ${isoMoment("updated_at")} as "updatedAt",
    pg_catalog.array_to_json(${usedBySql}) as "usedBy" from ${table} s`;
  const entryOf = (verb: "create" | "update" | "delete", name: string) => ({
    action: `${targetKind}.${verb}` as const,
    targetKind,
    targetId: name,
  });
  const read = async (database: Queryable, name: string) => {
    const [row] = isSecretName(name)
      ? await database.query<StoredSecret>(`${selectSql} where name = $1::text`, [name])
      : [];
    return requireFound(row);
  };
  return {
    read,
    list: async (database, request) => {
      const [after] = readCursor(request.cursor, [isSecretName]);
      const rows = await database.query<StoredSecret>(
        `${selectSql}
         where ($1::text is null or position(system.fold($1::text) in system.fold(name || ' ' || description)) > 0)
           and ($2::text is null or name collate "C" > $2::text)
         order by name collate "C" limit $3::text::integer`,
        [request.search, after, String(request.limit + 1)],
      );
      return toPage(rows, request.limit, ({ name }) => [name]);
    },
    create: async ({ database, vault }, { name, value, description = "" }, actor) => {
      const sealed = await vault.seal(value, secretContextOf(name));
      return makeChange(
        database,
        actor,
        async (transaction) => {
          await transaction.query(
            `insert into ${table} (name, sealed, description) values ($1::text, $2::text, $3::text)`,
            [name, sealed, description],
          );
          await check?.(transaction, name, value);
          return { result: await read(transaction, name), entry: entryOf("create", name) };
        },
        { path: "/data/name", message: "Another secret has this name" },
      );
    },
    update: async ({ database, vault }, name, changes, actor) => {
      const { value, description = null } = changes;
      const sealed = value === undefined ? null : await vault.seal(value, secretContextOf(name));
      const more = sealed === null || onValueSql === undefined ? "" : `, ${onValueSql}`;
      const changedFields = Object.keys(changes);
      return makeChange(database, actor, async (transaction) => {
        if (changedFields.length > 0 && isSecretName(name)) {
          await transaction.query(
            `update ${table} set sealed = coalesce($2::text, sealed), description = coalesce($3::text, description),
               updated_at = clock_timestamp()${more} where name = $1::text`,
            [name, sealed, description],
          );
          if (value !== undefined) await check?.(transaction, name, value);
        }
        const result = await read(transaction, name);
        return {
          result,
          entry: changedFields.length === 0 ? null : { ...entryOf("update", name), changedFields },
        };
      });
    },
    remove: (database, name, actor) =>
      makeChange(database, actor, async (transaction) => {
        await read(transaction, name);
        await transaction.query(`delete from ${table} where name = $1::text`, [name]);
        return { result: undefined, entry: entryOf("delete", name) };
      }),
  };
}
