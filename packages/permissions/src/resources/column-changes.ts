import {
  type AuditActor,
  type Column,
  type ColumnType,
  type Database,
  makeChange,
  type Queryable,
  type Relation,
  requireFound,
  type Snapshot,
  type SnapshotStore,
  schema,
  type Transaction,
} from "@rowhouse/db";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { and, eq, isNull } from "drizzle-orm";
import { type ColumnColors, findColorFaults } from "./column-colors.ts";
import { type ColumnFormat, findFormatFault } from "./column-format.ts";
import { isFileColumn } from "./file-column.ts";
import { checkRelationNames } from "./relation-names.ts";
import { sourcesOf } from "./resource-columns.ts";
import { requireColumnTag } from "./resource-tag.ts";

/** Sets the given fields; null removes a value. */
export interface ColumnChanges {
  readonly label?: string | null | undefined;
  readonly format?: ColumnFormat | null | undefined;
  readonly colors?: ColumnColors | null | undefined;
  readonly relationName?: string | null | undefined;
}

/** The changes of one column in a list of several. */
export interface NamedColumnChanges extends ColumnChanges {
  readonly name: string;
}

/** Changes of columns of one relation that were compared with it. Only those without faults may be stored. */
export interface CheckedColumns {
  readonly relation: Relation;
  readonly writes: readonly ColumnWrite[];
  readonly faults: readonly Fault[];
  /** The names of relations of the table that lead elsewhere or nowhere after the change. */
  readonly formerRelations: readonly string[];
}

interface ColumnWrite {
  readonly column: Column;
  readonly changes: ColumnChanges;
  /** Where the changes stand in the body. */
  readonly path: string;
}

/**
 * Changes the presentation of a column and the name of its relation.
 *
 * @param ifMatch the tags of `If-Match`
 * @returns the names of relations of its table that lead elsewhere or nowhere since the change
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT for a view column that a table column supplies, and for a name of a relation that
 * grants depend on; BODY_INVALID for a value that does not fit the column's type, and for a name that is taken
 */
export async function updateResourceColumn(
  database: Database,
  snapshots: Pick<SnapshotStore, "fresh">,
  resourceId: string,
  name: string,
  changes: ColumnChanges,
  actor: AuditActor,
  ifMatch?: readonly string[],
): Promise<readonly string[]> {
  const snapshot = await snapshots.fresh();
  const relation = requireFound(snapshot.catalogue.relationByResource(resourceId.toLowerCase()));
  const column = requireFound(relation.columnByName(name));
  const writes = [{ column, changes, path: "/data" }];
  const checked = await checkWrites(database, snapshot, relation, writes);
  const require = (on: Queryable) => requireColumnTag(on, resourceId, name, ifMatch);
  await writeColumns(database, checked, actor, require);
  return checked.formerRelations;
}

/**
 * Changes the presentation of several columns of a resource together: of all of them, or of none.
 *
 * @param ifMatch the tags of `If-Match`
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; the errors of `updateResourceColumn` with every fault at its path, `/data/<index>/…`;
 * VALUE_INVALID for an unknown column, and for one that is named twice
 */
export async function updateResourceColumns(
  database: Database,
  snapshots: Pick<SnapshotStore, "fresh">,
  resourceId: string,
  updates: readonly Omit<NamedColumnChanges, "relationName">[],
  actor: AuditActor,
  ifMatch?: readonly string[],
): Promise<void> {
  const snapshot = await snapshots.fresh();
  const relation = requireFound(snapshot.catalogue.relationByResource(resourceId.toLowerCase()));
  const checked = await checkColumns(database, snapshot, relation, updates, "/data");
  const require = (on: Queryable) => requireColumnTag(on, resourceId, null, ifMatch);
  await writeColumns(database, checked, actor, require);
}

/**
 * Compares changes of columns with their relation.
 *
 * @param path where the list stands in the body
 * @throws AppError CONFLICT as `updateResourceColumn`, for changes without faults
 */
export async function checkColumns(
  database: Transaction,
  snapshot: Snapshot,
  relation: Relation,
  updates: readonly NamedColumnChanges[],
  path: string,
): Promise<CheckedColumns> {
  const seen = new Set<string>();
  const faults: Fault[] = [];
  const found = updates.flatMap(({ name, ...changes }, index) => {
    const column = relation.columnByName(name);
    const isRepeated = seen.has(name);
    seen.add(name);
    if (column !== undefined && !isRepeated) return [{ column, changes, path: `${path}/${index}` }];
    const message = isRepeated ? "A column may be named only once" : "No such column";
    faults.push(createFault("VALUE_INVALID", { path: `${path}/${index}/name`, message }));
    return [];
  });
  if (faults.length > 0) return { relation, writes: [], faults, formerRelations: [] };
  return checkWrites(database, snapshot, relation, found);
}

async function checkWrites(
  database: Transaction,
  snapshot: Snapshot,
  relation: Relation,
  all: readonly ColumnWrite[],
): Promise<CheckedColumns> {
  const writes = all.filter(({ changes }) => fieldsOf(changes).length > 0);
  const names = writes.flatMap(({ column, changes: { relationName: name }, path }) =>
    name === undefined ? [] : [{ column, name, path: `${path}/relationName` }],
  );
  const { formerRelations, faults: misnamed } = checkRelationNames(snapshot, relation, names);
  const sources = writes.length === 0 ? undefined : await sourcesOf(database, snapshot, relation);
  const faults = [...misnamed];
  for (const { column, changes, path } of writes) {
    if (sources?.has(column.attributeNumber)) continue;
    const isFile = isFileColumn(snapshot, relation, column);
    faults.push(...(await findUnfit(database, changes, { type: column.type, isFile, path })));
  }
  const [source] = writes.flatMap(({ column }) => sources?.get(column.attributeNumber) ?? []);
  if (faults.length === 0 && source !== undefined) {
    const { relation: table, column: origin } = source;
    throw createError("CONFLICT", {
      message: `This column has the presentation of ${table.schema}.${table.name}.${origin.name}; change it there`,
      details: { resourceId: table.resource.id, column: origin.name },
    });
  }
  return { relation, writes, faults, formerRelations };
}

/** Stores changes of columns in one transaction; without a given field nothing is written. */
async function writeColumns(
  database: Database,
  checked: CheckedColumns,
  actor: AuditActor,
  requireUnchanged: (on: Queryable) => Promise<void>,
): Promise<void> {
  throwFaults(checked.faults);
  if (checked.writes.length === 0) return requireUnchanged(database);
  await makeChange(database, actor, async (transaction) => {
    await requireUnchanged(transaction);
    await storeColumns(transaction, checked);
    return {
      result: undefined,
      entry: {
        action: "resource.update",
        targetKind: "resource",
        targetId: checked.relation.resource.id,
        changedFields: changedFieldsOf(checked),
      },
    };
  });
}

/** Stores changes that have no faults. */
export async function storeColumns(
  transaction: Transaction,
  { relation, writes }: CheckedColumns,
): Promise<void> {
  for (const { column, changes } of writes) await store(transaction, relation, column, changes);
}

/** The changed fields of columns, for the audit log. */
export function changedFieldsOf({ writes }: CheckedColumns): string[] {
  return writes.flatMap(({ column, changes }) =>
    fieldsOf(changes).map((field) => `columns.${column.name}.${field}`),
  );
}

function fieldsOf(changes: ColumnChanges): string[] {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return given.map(([field]) => field);
}

async function findUnfit(
  database: Pick<Transaction, "asService">,
  { format, colors }: ColumnChanges,
  column: { readonly type: ColumnType; readonly isFile: boolean; readonly path: string },
): Promise<Fault[]> {
  const faults: Fault[] = [];
  if (format != null) {
    const message = findFormatFault(format, column);
    if (message !== undefined) {
      faults.push(createFault("BODY_INVALID", { path: `${column.path}/format`, message }));
    }
  }
  if (colors != null) {
    for (const { path, message } of await findColorFaults(
      database.asService,
      colors,
      column.type,
    )) {
      const pointer = `${column.path}/colors${path === "" ? "" : `/${path}`}`;
      faults.push(createFault("BODY_INVALID", { path: pointer, message }));
    }
  }
  return faults;
}

/** Binds the column by its current attribute number: it may have been dropped after the lookup. */
async function store(
  transaction: Transaction,
  relation: Relation,
  column: Column,
  { label, format, colors, relationName }: ColumnChanges,
): Promise<void> {
  const { orm } = transaction;
  const { resourceColumns: stored } = schema;
  const { attributeNumber, name: columnName } = column;
  const resourceId = relation.resource.id;
  const [bound] = await transaction.query(
    `select 1 from system.resources r
     join pg_catalog.pg_attribute a on a.attrelid = r.relation_oid and a.attnum = $2::text::smallint and not a.attisdropped
     where r.id = $1::text::uuid for no key update of r`,
    [resourceId, String(attributeNumber)],
  );
  requireFound(bound);
  const values = { label, format, colors, relationName };
  // No ON CONFLICT: the key is deferrable so that a restore can renumber it. The lock above serializes concurrent
  // changes.
  const [changed] = await orm
    .update(stored)
    .set(values)
    .where(and(eq(stored.resourceId, resourceId), eq(stored.attributeNumber, attributeNumber)))
    .returning({ attributeNumber: stored.attributeNumber });
  if (changed === undefined) {
    await orm.insert(stored).values({ resourceId, attributeNumber, columnName, ...values });
  }
  await orm
    .delete(stored)
    .where(
      and(
        eq(stored.resourceId, resourceId),
        isNull(stored.label),
        isNull(stored.format),
        isNull(stored.colors),
        isNull(stored.relationName),
        isNull(stored.titlePart),
      ),
    );
}
