import {
  type AuditActor,
  type Column,
  type ColumnPresentation,
  type ColumnSource,
  type ColumnType,
  type Database,
  loadColumnSources,
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
import { type ColumnColors, findColorFaults, readColors } from "./column-colors.ts";
import { type ColumnFormat, findFormatFault, readFormat } from "./column-format.ts";
import { isFileColumn } from "./file-column.ts";
import { type ColumnRelation, columnRelations, requireRelationName } from "./relation-names.ts";
import { requireColumnTag } from "./resource-tag.ts";

/** A column with its presentation. */
export interface PresentedColumn {
  readonly name: string;
  readonly dataType: string;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
  readonly identity: "ALWAYS" | "BY_DEFAULT" | null;
  readonly generated: boolean;
  readonly comment: string | null;
  /** The labels of an enum, in order. */
  readonly values: string[] | null;
  /** Whether it refers to a file, so that it can have the formats `file` and `image`. */
  readonly isFile: boolean;
  readonly label: string | null;
  readonly format: ColumnFormat | null;
  readonly colors: ColumnColors | null;
  /** The name that an administrator has given to its relation. */
  readonly relationName: string | null;
  /** The relation of the foreign key that it alone forms; its name is another one while `relationName` is taken. */
  readonly relation: ColumnRelation | null;
  /**
   * The table column that supplies the label, format and colors of a view column; null if they belong to the column
   * itself.
   */
  readonly source: { resourceId: string; schema: string; table: string; column: string } | null;
}

/** Sets the given fields; null removes a value. */
export interface ColumnChanges {
  readonly label?: string | null | undefined;
  readonly format?: ColumnFormat | null | undefined;
  readonly colors?: ColumnColors | null | undefined;
  readonly relationName?: string | null | undefined;
}

/** The changes of one column in a list of several. */
export interface NamedColumnChanges extends Omit<ColumnChanges, "relationName"> {
  readonly name: string;
}

/**
 * Lists the columns of a resource in their order, without secret columns.
 *
 * @throws AppError NOT_FOUND
 */
export async function listResourceColumns(
  database: Queryable,
  snapshot: Snapshot,
  resourceId: string,
): Promise<PresentedColumn[]> {
  const relation = requireFound(snapshot.catalogue.relationByResource(resourceId.toLowerCase()));
  const sources = await sourcesOf(database, snapshot, relation);
  const relationOf = columnRelations(snapshot.catalogue, relation);
  return relation.columns.map((column) => ({
    ...present(snapshot, relation, column, sources?.get(column.attributeNumber)),
    relation: relationOf(column),
  }));
}

/**
 * Returns one column by its name.
 *
 * @throws AppError NOT_FOUND
 */
export async function readResourceColumn(
  database: Queryable,
  snapshot: Snapshot,
  resourceId: string,
  name: string,
): Promise<PresentedColumn> {
  const columns = await listResourceColumns(database, snapshot, resourceId);
  return requireFound(columns.find((column) => column.name === name));
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
  const formerRelations =
    changes.relationName === undefined
      ? []
      : requireRelationName(snapshot, relation, column, changes.relationName);
  const require = (on: Queryable) => requireColumnTag(on, resourceId, name, ifMatch);
  const writes = [{ column, changes, path: "/data" }];
  await writeColumns(database, snapshot, relation, writes, actor, require);
  return formerRelations;
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
  updates: readonly NamedColumnChanges[],
  actor: AuditActor,
  ifMatch?: readonly string[],
): Promise<void> {
  const snapshot = await snapshots.fresh();
  const relation = requireFound(snapshot.catalogue.relationByResource(resourceId.toLowerCase()));
  const seen = new Set<string>();
  const faults: Fault[] = [];
  const found = updates.flatMap(({ name, ...changes }, index) => {
    const column = relation.columnByName(name);
    const isRepeated = seen.has(name);
    seen.add(name);
    if (column !== undefined && !isRepeated) return [{ column, changes, path: `/data/${index}` }];
    const message = isRepeated ? "A column may be named only once" : "No such column";
    faults.push(createFault("VALUE_INVALID", { path: `/data/${index}/name`, message }));
    return [];
  });
  throwFaults(faults);
  const require = (on: Queryable) => requireColumnTag(on, resourceId, null, ifMatch);
  await writeColumns(database, snapshot, relation, found, actor, require);
}

interface ColumnWrite {
  readonly column: Column;
  readonly changes: ColumnChanges;
  /** Where the changes stand in the body. */
  readonly path: string;
}

/** Checks and stores changes of columns in one transaction; without a given field nothing is written. */
async function writeColumns(
  database: Database,
  snapshot: Snapshot,
  relation: Relation,
  writes: readonly ColumnWrite[],
  actor: AuditActor,
  requireUnchanged: (on: Queryable) => Promise<void>,
): Promise<void> {
  const given = writes.filter(({ changes }) => fieldsOf(changes).length > 0);
  if (given.length === 0) return requireUnchanged(database);
  const sources = await sourcesOf(database, snapshot, relation);
  const faults: Fault[] = [];
  for (const { column, changes, path } of given) {
    const source = sources?.get(column.attributeNumber);
    if (source !== undefined) {
      const { relation: table, column: origin } = source;
      throw createError("CONFLICT", {
        message: `This column has the presentation of ${table.schema}.${table.name}.${origin.name}; change it there`,
        details: { resourceId: table.resource.id, column: origin.name },
      });
    }
    const isFile = isFileColumn(snapshot, relation, column);
    faults.push(...(await findUnfit(database, changes, { type: column.type, isFile, path })));
  }
  throwFaults(faults);
  await makeChange(database, actor, async (transaction) => {
    await requireUnchanged(transaction);
    for (const { column, changes } of given) await store(transaction, relation, column, changes);
    return {
      result: undefined,
      entry: {
        action: "resource.update",
        targetKind: "resource",
        targetId: relation.resource.id,
        changedFields: given.flatMap(({ column, changes }) =>
          fieldsOf(changes).map((field) => `columns.${column.name}.${field}`),
        ),
      },
    };
  });
}

function fieldsOf(changes: ColumnChanges): string[] {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return given.map(([field]) => field);
}

async function sourcesOf(
  database: Queryable,
  snapshot: Pick<Snapshot, "catalogue">,
  relation: Relation,
): Promise<ReadonlyMap<number, ColumnSource> | undefined> {
  if (relation.resource.kind !== "VIEW") return undefined;
  const sources = await loadColumnSources(database, snapshot.catalogue, [relation]);
  return sources.get(relation.oid);
}

/** The presentation of a column without its relation. */
function present(
  snapshot: Pick<Snapshot, "presentations" | "catalogue">,
  relation: Relation,
  column: Column,
  source: ColumnSource | undefined,
): Omit<PresentedColumn, "relation"> {
  const shown = source ?? { relation, column };
  const isFile = isFileColumn(snapshot, shown.relation, shown.column);
  const stored: ColumnPresentation | undefined = snapshot.presentations
    .get(shown.relation.resource.id)
    ?.get(shown.column.attributeNumber);
  return {
    name: column.name,
    dataType: column.type.name,
    nullable: column.nullable,
    hasDefault: column.hasDefault,
    identity: column.identity,
    generated: column.generated,
    comment: column.comment,
    values: column.type.labels === null ? null : [...column.type.labels],
    isFile,
    label: stored?.label ?? null,
    format: readFormat(stored?.format, { type: column.type, isFile }),
    colors: readColors(stored?.colors),
    relationName: relation.resource.relationNames[column.attributeNumber] ?? null,
    source:
      source === undefined
        ? null
        : {
            resourceId: source.relation.resource.id,
            schema: source.relation.schema,
            table: source.relation.name,
            column: source.column.name,
          },
  };
}

async function findUnfit(
  database: Queryable,
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
    for (const { path, message } of await findColorFaults(database, colors, column.type)) {
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
