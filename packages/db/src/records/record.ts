import { isStorableText } from "@rowhouse/wire";
import { eq, getTableName } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { isReferredTable, requireHarmlessDeletion } from "../logins/cascades.ts";
import type { Database, Queryable, Transaction } from "../queryable.ts";
import type { AuditAction } from "./audit-actions.ts";
import type { AuditActor } from "./audit-log.ts";
import { makeChange, requireFound } from "./change.ts";
import { isUuid, type Page, type PageRequest, readCursor, toPage } from "./page.ts";

/** SQL fragments of a kind of record that queries return as JSON objects. */
export interface RecordSource {
  readonly from: string;
  readonly id: string;
  readonly json: string;
  /** A text that lists are sorted by, before the id. */
  readonly sortKey: string;
  /** The text that `search` matches without case. */
  readonly searched: string;
}

/** A kind of record with a table of its own. */
export interface RecordKind extends RecordSource {
  /** The target kind in the audit log, and the prefix of its actions: `role.create`. */
  readonly name: "dashboard" | "data_view" | "role" | "template" | "user";
  readonly table: PgTable & { readonly id: PgColumn };
}

/** A condition of a list; a null value removes it. */
export interface RecordFilter {
  readonly value: string | null;
  /** Returns the condition in SQL, given the SQL of the value as a text. */
  readonly sql: (value: string) => string;
}

/** Lists records page by page in the order of their sort key. */
export async function listRecords<Item>(
  database: Queryable,
  source: RecordSource,
  request: PageRequest,
  filters: readonly RecordFilter[] = [],
): Promise<Page<Item>> {
  const { from, id, json, sortKey, searched } = source;
  const [afterKey, afterId] = readCursor(request.cursor, [isStorableText, isUuid]);
  const conditions = filters.map((filter, index) => {
    const value = `$${index + 5}::text`;
    return `and (${value} is null or ${filter.sql(value)})`;
  });
  const rows = await database.query<{ key: string; id: string; item: Item }>(
    `select ${sortKey} as key, ${id} as id, ${json} as item from ${from}
     where ($1::text is null or position(system.fold($1::text) in system.fold(${searched})) > 0)
       and ($2::text is null or (${sortKey}, ${id}) > ($2::text, $3::text::uuid))
       ${conditions.join("\n       ")}
     order by ${sortKey}, ${id} limit $4::text::integer`,
    [
      request.search,
      afterKey,
      afterId,
      String(request.limit + 1),
      ...filters.map((filter) => filter.value),
    ],
  );
  const { items, nextCursor } = toPage(rows, request.limit, (row) => [row.key, row.id]);
  return { items: items.map((row) => row.item), nextCursor };
}

/**
 * Returns one record.
 *
 * @throws AppError NOT_FOUND
 */
export async function readRecord<Item>(
  database: Queryable,
  { from, id, json }: RecordSource,
  recordId: string,
): Promise<Item> {
  const [row] = await database.query<{ item: Item }>(
    `select ${json} as item from ${from} where ${id} = $1::text::uuid`,
    [recordId],
  );
  return requireFound(row).item;
}

/**
 * Creates a record and its audit entry in one transaction.
 *
 * @param insert inserts the record and returns its id; undefined if a record that it references does not exist
 * @throws AppError NOT_FOUND without an id
 */
export async function createRecord<Item>(
  database: Database,
  kind: RecordKind,
  input: object,
  insert: (transaction: Transaction) => Promise<string | undefined>,
  actor: AuditActor,
): Promise<Item> {
  const change = async (transaction: Transaction) => {
    const id = requireFound(await insert(transaction));
    const changedFields = Object.keys(input);
    return {
      result: await readRecord<Item>(transaction, kind, id),
      entry: {
        action: `${kind.name}.create` as const,
        targetKind: kind.name,
        targetId: id,
        changedFields,
      },
    };
  };
  return makeChange(database, actor, change);
}

/**
 * Changes a record and writes its audit entry in one transaction.
 *
 * @param changedFields names for the audit entry
 * @throws AppError NOT_FOUND
 */
export async function updateRecord<Item>(
  database: Database,
  kind: RecordKind,
  id: string,
  changedFields: readonly string[],
  update: (transaction: Transaction) => Promise<void>,
  actor: AuditActor,
): Promise<Item> {
  const change = async (transaction: Transaction) => {
    await update(transaction);
    return {
      result: await readRecord<Item>(transaction, kind, id),
      entry: {
        action: `${kind.name}.update` as const,
        targetKind: kind.name,
        targetId: id,
        changedFields: [...changedFields],
      },
    };
  };
  return makeChange(database, actor, change);
}

/**
 * Deletes a record and writes its audit entry in one transaction.
 *
 * @throws AppError NOT_FOUND; CONFLICT if the deletion would run code of the database's users
 */
export async function deleteRecord(
  database: Database,
  { name, table }: Pick<RecordKind, "table"> & { readonly name: string },
  id: string,
  actor: AuditActor,
): Promise<void> {
  await makeChange(database, actor, async (transaction) => {
    const stored = getTableName(table);
    if (isReferredTable(stored)) await requireHarmlessDeletion(transaction, stored, true);
    const [row] = await transaction.orm
      .delete(table)
      .where(eq(table.id, id))
      .returning({ id: table.id });
    requireFound(row);
    return {
      result: undefined,
      entry: { action: `${name}.delete` as AuditAction, targetKind: name, targetId: id },
    };
  });
}

/** Locks a record until the end of the transaction, so that its changes are serialized. */
export async function lockRecord(
  { orm }: Transaction,
  { table }: Pick<RecordKind, "table">,
  id: string,
): Promise<void> {
  const [row] = await orm
    .select({ id: table.id })
    .from(table)
    .where(eq(table.id, id))
    .for("update");
  requireFound(row);
}

/** The names of the fields that changes give. */
export function givenFields(changes: object): string[] {
  return Object.entries(changes).flatMap(([field, value]) => (value === undefined ? [] : [field]));
}
