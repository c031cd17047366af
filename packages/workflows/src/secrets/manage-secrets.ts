import {
  type AuditActor,
  type Database,
  makeChange,
  type Page,
  type PageRequest,
  type Queryable,
  readCursor,
  requireFound,
  schema,
  toPage,
} from "@rowhouse/db";
import type { Vault } from "@rowhouse/vault";
import { eq, sql } from "drizzle-orm";
import { isoMoment } from "../base/iso-moment.ts";
import { isSecretName, secretContextOf } from "./secret-name.ts";

const { workflowSecrets: secrets } = schema;

/** A secret as administrators see it, without its value. */
export interface WorkflowSecret {
  /** The name that templates use. */
  readonly name: string;
  readonly description: string;
  readonly createdAt: string;
  /** Time of the last change of value or description. */
  readonly updatedAt: string;
  /** Slugs of at most 100 workflows whose published version uses the secret. */
  readonly usedBy: string[];
}

export interface NewWorkflowSecret {
  readonly name: string;
  readonly value: string;
  readonly description?: string | undefined;
}

export interface SecretChanges {
  readonly value?: string | undefined;
  readonly description?: string | undefined;
}

interface SecretDeps {
  readonly database: Database;
  readonly vault: Pick<Vault, "seal">;
}

const columns = `name, description, ${isoMoment("created_at")} as "createdAt", ${isoMoment("updated_at")} as "updatedAt",
  array_to_json(array(
    select w.slug from system.workflows w join system.workflow_versions v on v.id = w.published_version_id
    where strpos(v.definition::text, s.name) > 0
      and (v.definition::text ~ ('\\{\\{\\s*secrets(\\.|\\[\\\\")' || s.name || '\\M')
        or (v.definition #> '{trigger,signature,secrets}')::jsonb ? s.name)
    order by w.slug limit 100)) as "usedBy"`;

/** Lists secrets by name. @throws AppError QUERY_INVALID for an invalid cursor */
export async function listWorkflowSecrets(
  database: Queryable,
  request: PageRequest,
): Promise<Page<WorkflowSecret>> {
  const [after] = readCursor(request.cursor, [isSecretName]);
  const rows = await database.query<WorkflowSecret>(
    `select ${columns} from system.workflow_secrets s
     where ($1::text is null or position(lower($1::text) in lower(name || ' ' || description)) > 0)
       and ($2::text is null or name collate "C" > $2::text)
     order by name collate "C" limit $3::text::integer`,
    [request.search, after, String(request.limit + 1)],
  );
  return toPage(rows, request.limit, ({ name }) => [name]);
}

/** @throws AppError NOT_FOUND */
export async function readWorkflowSecret(
  database: Queryable,
  name: string,
): Promise<WorkflowSecret> {
  const [row] = isSecretName(name)
    ? await database.query<WorkflowSecret>(
        `select ${columns} from system.workflow_secrets s where name = $1::text`,
        [name],
      )
    : [];
  return requireFound(row);
}

/** Encrypts and stores a secret. @throws AppError CONFLICT if the name is in use */
export async function createWorkflowSecret(
  { database, vault }: SecretDeps,
  { name, value, description = "" }: NewWorkflowSecret,
  actor: AuditActor,
): Promise<WorkflowSecret> {
  const sealed = await vault.seal(value, secretContextOf(name));
  return makeChange(
    database,
    actor,
    async (transaction) => {
      await transaction.orm.insert(secrets).values({ name, sealed, description });
      const result = await readWorkflowSecret(transaction, name);
      return { result, entry: entryOf("create", name) };
    },
    { path: "/data/name", message: "Another secret has this name" },
  );
}

/**
 * Replaces the value or the description. The next step that uses the secret gets the new value. @throws AppError
 * NOT_FOUND
 */
export async function updateWorkflowSecret(
  { database, vault }: SecretDeps,
  name: string,
  changes: SecretChanges,
  actor: AuditActor,
): Promise<WorkflowSecret> {
  const { value, description } = changes;
  const sealed = value === undefined ? undefined : await vault.seal(value, secretContextOf(name));
  const changedFields = Object.keys(changes);
  return makeChange(database, actor, async (transaction) => {
    if (changedFields.length > 0 && isSecretName(name)) {
      await transaction.orm
        .update(secrets)
        .set({ sealed, description, updatedAt: sql`clock_timestamp()` })
        .where(eq(secrets.name, name));
    }
    const result = await readWorkflowSecret(transaction, name);
    return {
      result,
      entry: changedFields.length === 0 ? null : { ...entryOf("update", name), changedFields },
    };
  });
}

/** Deletes a secret. Steps that use it fail from then on. @throws AppError NOT_FOUND */
export async function deleteWorkflowSecret(
  database: Database,
  name: string,
  actor: AuditActor,
): Promise<void> {
  await makeChange(database, actor, async (transaction) => {
    await readWorkflowSecret(transaction, name);
    await transaction.orm.delete(secrets).where(eq(secrets.name, name));
    return { result: undefined, entry: entryOf("delete", name) };
  });
}

function entryOf(verb: "create" | "update" | "delete", name: string) {
  const targetKind = "workflow_secret";
  return { action: `${targetKind}.${verb}` as const, targetKind, targetId: name };
}
