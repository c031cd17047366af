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
  schema,
  type Transaction,
  updateRecord,
} from "@rowhouse/db";
import { eq, sql } from "drizzle-orm";
import { openableBy, openers, replaceOpeners } from "./openers.ts";

/** A saved reading of one resource. */
export interface DataViewRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly resourceId: string;
  /** Null for every field that the reader may see. */
  readonly fields: string[] | null;
  readonly where: Readonly<Record<string, unknown>> | null;
  readonly orderBy: string[];
  /** Maximum number of rows. */
  readonly limit: number | null;
  /** Display options of a front end; the service does not interpret them. */
  readonly presentation: Readonly<Record<string, unknown>>;
  /** The roles whose members may open it; Administrators always may. */
  readonly roleIds: string[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The input of an administrator. The caller validates it. */
export type DataViewInput = Omit<DataViewRecord, "id" | "createdAt" | "updatedAt">;

export type DataViewChanges = {
  readonly [Key in Exclude<keyof DataViewInput, "resourceId">]?: DataViewInput[Key] | undefined;
};

const { dataViews } = schema;

const kind: RecordKind = {
  name: "data_view",
  table: dataViews,
  from: "system.data_views v",
  id: "v.id",
  json: `json_build_object('id', v.id, 'name', v.name, 'description', v.description, 'resourceId', v.resource_id,
    'fields', v.definition -> 'fields', 'where', v.definition -> 'where', 'orderBy', v.definition -> 'orderBy',
    'limit', v.definition -> 'limit', 'presentation', v.presentation, 'roleIds', ${openers("data_view", "v.id")},
    'createdAt', v.created_at, 'updatedAt', v.updated_at)`,
  sortKey: "lower(v.name)",
  searched: "v.name",
};

/**
 * Lists the DataViews by name.
 *
 * @param request `roleIds`: only those that members of one of these roles may open; null for all
 */
export async function listDataViews(
  database: Queryable,
  request: PageRequest & {
    readonly resourceId: string | null;
    readonly roleIds: readonly string[] | null;
  },
): Promise<Page<DataViewRecord>> {
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
export async function readDataView(database: Queryable, id: string): Promise<DataViewRecord> {
  return readRecord(database, kind, id);
}

/**
 * Creates a DataView.
 *
 * @throws AppError NOT_FOUND if the resource was dropped after the validation
 */
export async function createDataView(
  database: Database,
  input: DataViewInput,
  actor: AuditActor,
): Promise<DataViewRecord> {
  const insert = async (transaction: Transaction) => {
    const { name, description, resourceId, presentation } = input;
    const [row] = await transaction.orm
      .insert(dataViews)
      .values({ name, description, resourceId, definition: definitionOf(input), presentation })
      .returning({ id: dataViews.id })
      .catch(nothingWithoutResource);
    if (row === undefined) return undefined;
    await replaceOpeners(transaction, "data_view", row.id, input.roleIds);
    return row.id;
  };
  return createRecord(database, kind, input, insert, actor);
}

/**
 * Changes the given fields of a DataView.
 *
 * @param check validates the changed DataView; it throws if the DataView is invalid
 * @throws AppError NOT_FOUND
 */
export async function updateDataView(
  database: Database,
  id: string,
  changes: DataViewChanges,
  check: (view: DataViewRecord) => void,
  actor: AuditActor,
): Promise<DataViewRecord> {
  const given = withoutAbsent(changes);
  const update = async (transaction: Transaction) => {
    await lockRecord(transaction, kind, id);
    const view = { ...(await readDataView(transaction, id)), ...given };
    check(view);
    const { name, description, presentation } = view;
    await transaction.orm
      .update(dataViews)
      .set({
        name,
        description,
        definition: definitionOf(view),
        presentation,
        updatedAt: sql`now()`,
      })
      .where(eq(dataViews.id, id));
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

function definitionOf({ fields, where, orderBy, limit }: DataViewInput) {
  return { fields, where, orderBy, limit };
}

/** Returns no row if the resource was dropped after the validation. */
function nothingWithoutResource(error: unknown): { id: string }[] {
  if (readPostgresFailure(error)?.code === "23503") return [];
  throw error;
}

function withoutAbsent(changes: DataViewChanges): Partial<DataViewInput> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<DataViewInput>;
}
