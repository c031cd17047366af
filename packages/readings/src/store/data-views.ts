import { namesOfParts, renameParts } from "@rowhouse/data";
import {
  type AuditActor,
  createRecord,
  type Database,
  deleteRecord,
  givenFields,
  listRecords,
  lockRecord,
  type Page,
  type PageRequest,
  type Queryable,
  type RecordKind,
  readPostgresFailure,
  readRecord,
  type Snapshot,
  schema,
  type Transaction,
  updateRecord,
} from "@rowhouse/db";
import { eq, sql } from "drizzle-orm";
import { readIcon } from "../presentation/icons.ts";
import { namesOfPresentation, renamePresentation } from "../presentation/map-presentation.ts";
import { readPresentation } from "../presentation/presentation.ts";
import type { DataViewInput, DataViewRecord } from "../schemas/data-view-schemas.ts";
import { navigationKey, openableBy, openers, replaceOpeners } from "./openers.ts";
import {
  bindReadingColumns,
  currentNames,
  type ReadingColumn,
  type RenamedColumn,
  renamedColumns,
  replaceReadingColumns,
} from "./reading-columns.ts";

/** A DataView as it is stored: with the names of the moment at which it was saved. */
export interface StoredDataView extends Omit<DataViewRecord, "icon" | "presentation"> {
  readonly icon: string | null;
  /** Of any form: an earlier version stored what it received. */
  readonly presentation: unknown;
  /** The columns that it names and that were renamed since then. */
  readonly renamed: readonly RenamedColumn[];
}

export type DataViewChanges = {
  readonly [Key in Exclude<keyof DataViewInput, "resourceId">]?: DataViewInput[Key] | undefined;
};

const { dataViews } = schema;

const kind: RecordKind = {
  name: "data_view",
  table: dataViews,
  from: "system.data_views v",
  id: "v.id",
  json: `json_build_object('id', v.id, 'name', v.name, 'description', v.description, 'icon', v.icon, 'position', v.position,
    'resourceId', v.resource_id, 'renamed', ${renamedColumns("data_view", "v.id")},
    'fields', v.definition -> 'fields', 'where', v.definition -> 'where', 'orderBy', v.definition -> 'orderBy',
    'limit', v.definition -> 'limit', 'presentation', v.presentation, 'roleIds', ${openers("data_view", "v.id")},
    'createdAt', v.created_at, 'updatedAt', v.updated_at)`,
  sortKey: navigationKey("v"),
  searched: "v.name",
};

/**
 * Lists the DataViews by position and name.
 *
 * @param request `roleIds`: only those that members of one of these roles may open; null for all
 */
export async function listDataViews(
  database: Queryable,
  request: PageRequest & {
    readonly resourceId: string | null;
    readonly roleIds: readonly string[] | null;
  },
): Promise<Page<StoredDataView>> {
  return listRecords(database, kind, request, [
    { value: request.resourceId, sql: (value) => `v.resource_id = ${value}::uuid` },
    openableBy("data_view", "v.id", request.roleIds),
  ]);
}

/**
 * Returns one DataView.
 *
 * @throws AppError NOT_FOUND
 */
export async function readDataView(database: Queryable, id: string): Promise<StoredDataView> {
  return readRecord(database, kind, id);
}

/**
 * Creates a DataView.
 *
 * @param columns the columns that it names
 * @throws AppError NOT_FOUND if the resource was dropped after the validation
 */
export async function createDataView(
  database: Database,
  input: DataViewInput,
  columns: readonly ReadingColumn[],
  actor: AuditActor,
): Promise<StoredDataView> {
  const insert = async (transaction: Transaction) => {
    const [row] = await transaction.orm
      .insert(dataViews)
      .values({ ...valuesOf(input), resourceId: input.resourceId })
      .returning({ id: dataViews.id })
      .catch(nothingWithoutResource);
    if (row === undefined) return undefined;
    await replaceOpeners(transaction, "data_view", row.id, input.roleIds);
    await replaceReadingColumns(transaction, "data_view", row.id, columns);
    return row.id;
  };
  return createRecord(database, kind, input, insert, actor);
}

/** A changed DataView, with the columns that it names. */
export interface RevisedDataView {
  readonly view: DataViewInput;
  readonly columns: readonly ReadingColumn[];
}

/**
 * Changes the given fields of a DataView.
 *
 * @param revise makes the changed DataView of the stored one; it throws if the result is invalid
 * @throws AppError NOT_FOUND
 */
export async function updateDataView(
  database: Database,
  id: string,
  changes: DataViewChanges,
  revise: (stored: StoredDataView) => RevisedDataView,
  actor: AuditActor,
): Promise<StoredDataView> {
  const update = async (transaction: Transaction) => {
    await lockRecord(transaction, kind, id);
    const { view, columns } = revise(await readDataView(transaction, id));
    await transaction.orm
      .update(dataViews)
      .set({ ...valuesOf(view), updatedAt: sql`now()` })
      .where(eq(dataViews.id, id));
    await replaceReadingColumns(transaction, "data_view", id, columns);
    if (changes.roleIds !== undefined) {
      await replaceOpeners(transaction, "data_view", id, changes.roleIds);
    }
  };
  return updateRecord(database, kind, id, givenFields(changes), update, actor);
}

/**
 * Deletes a DataView.
 *
 * @throws AppError NOT_FOUND
 */
export async function deleteDataView(
  database: Database,
  id: string,
  actor: AuditActor,
): Promise<void> {
  await deleteRecord(database, kind, id, actor);
}

function valuesOf({ fields, where, orderBy, limit, ...view }: DataViewInput) {
  const { name, description, icon, position, presentation } = view;
  const definition = { fields, where, orderBy, limit };
  return { name, description, icon, position, definition, presentation };
}

/** Returns no row if the resource was dropped after the validation. */
function nothingWithoutResource(error: unknown): { id: string }[] {
  if (readPostgresFailure(error)?.code === "23503") return [];
  throw error;
}

/** Returns a stored DataView with the current names of its columns. */
export function currentDataView({
  renamed,
  icon,
  presentation,
  ...stored
}: StoredDataView): DataViewRecord {
  const nameOf = currentNames(renamed, stored.resourceId);
  return {
    ...renameParts(stored, nameOf),
    icon: readIcon(icon),
    presentation: renamePresentation(readPresentation(presentation), nameOf),
  };
}

/** Returns the columns that a DataView names, bound to their numbers. */
export function columnsOfDataView(
  { catalogue }: Pick<Snapshot, "catalogue">,
  view: DataViewInput,
): ReadingColumn[] {
  const relation = catalogue.relationByResource(view.resourceId.toLowerCase());
  if (relation === undefined) return [];
  const { fields, where, orderBy, presentation } = view;
  const names = [...namesOfParts({ fields, where, orderBy }), ...namesOfPresentation(presentation)];
  return bindReadingColumns(catalogue, relation, names);
}
