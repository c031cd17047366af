import {
  type AuditActor,
  arrayLiteral,
  type Database,
  isUuid,
  makeChange,
  type Page,
  type PageRequest,
  type Queryable,
  readCursor,
  requireFound,
  type Transaction,
  toPage,
} from "@rowhouse/db";
import { isStorableText } from "@rowhouse/json";
import { openers, replaceOpeners } from "./openers.ts";

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
  /** Rows at most. */
  readonly limit: number | null;
  /** How a front end shows it; for the service it has no meaning. */
  readonly presentation: Readonly<Record<string, unknown>>;
  /** The roles whose members may open it; Administrators may anyway. */
  readonly roleIds: string[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What an administrator says of a DataView. It was found to be right before it comes here. */
export type DataViewInput = Omit<DataViewRecord, "id" | "createdAt" | "updatedAt">;

export type DataViewChanges = {
  readonly [Key in Exclude<keyof DataViewInput, "resourceId">]?: DataViewInput[Key] | undefined;
};

const dataViewJson = `json_build_object('id', v.id, 'name', v.name, 'description', v.description, 'resourceId', v.resource_id,
  'fields', v.definition -> 'fields', 'where', v.definition -> 'where', 'orderBy', v.definition -> 'orderBy',
  'limit', v.definition -> 'limit', 'presentation', v.presentation, 'roleIds', ${openers("data_view", "v.id")},
  'createdAt', v.created_at, 'updatedAt', v.updated_at)`;

/**
 * The DataViews by name.
 *
 * @param request `roleIds`: those that members of one of these roles may open; null for all
 */
export async function listDataViews(
  database: Queryable,
  request: PageRequest & {
    readonly resourceId: string | null;
    readonly roleIds: readonly string[] | null;
  },
): Promise<Page<DataViewRecord>> {
  const [afterName, afterId] = readCursor(request.cursor, [isStorableText, isUuid]);
  const rows = await database.query<{ key: string; view: DataViewRecord }>(
    `select lower(v.name) as key, ${dataViewJson} as view from system.data_views v
     where ($1::text is null or position(lower($1::text) in lower(v.name)) > 0)
       and ($2::text is null or v.resource_id = $2::text::uuid)
       and ($3::text is null or exists (select 1 from system.data_view_roles o
         where o.data_view_id = v.id and o.role_id = any ($3::text::uuid[])))
       and ($4::text is null or (lower(v.name), v.id) > ($4::text, $5::text::uuid))
     order by lower(v.name), v.id limit $6::text::integer`,
    [
      request.search,
      request.resourceId,
      request.roleIds === null ? null : arrayLiteral(request.roleIds),
      afterName,
      afterId,
      String(request.limit + 1),
    ],
  );
  const { items, nextCursor } = toPage(rows, request.limit, ({ key, view }) => [key, view.id]);
  return { items: items.map((row) => row.view), nextCursor };
}

/**
 * One DataView.
 *
 * @throws AppError NOT_FOUND
 */
export async function readDataView(database: Queryable, id: string): Promise<DataViewRecord> {
  const [row] = await database.query<{ view: DataViewRecord }>(
    `select ${dataViewJson} as view from system.data_views v where v.id = $1::text::uuid`,
    [id],
  );
  return requireFound(row).view;
}

/** Keeps a new DataView. */
export async function createDataView(
  database: Database,
  input: DataViewInput,
  actor: AuditActor,
): Promise<DataViewRecord> {
  return makeChange(database, actor, async (transaction) => {
    // A resource that has gone since the input was looked at gives no row.
    const [row] = await transaction.query<{ id: string }>(
      `insert into system.data_views (name, description, resource_id, definition, presentation)
       select $1::text, $2::text, r.id, $4::text::json, $5::text::json
       from system.resources r where r.id = $3::text::uuid for key share returning id`,
      [
        input.name,
        input.description,
        input.resourceId,
        definitionOf(input),
        JSON.stringify(input.presentation),
      ],
    );
    const { id } = requireFound(row);
    await replaceOpeners(transaction, "data_view", id, input.roleIds);
    return {
      result: await readDataView(transaction, id),
      entry: {
        action: "data_view.create",
        targetKind: "data_view",
        targetId: id,
        changedFields: Object.keys(input),
      },
    };
  });
}

/**
 * Changes what is given of a DataView.
 *
 * @param check finds nothing wrong with what it will be, or throws
 * @throws AppError NOT_FOUND
 */
export async function updateDataView(
  database: Database,
  id: string,
  changes: DataViewChanges,
  check: (view: DataViewRecord) => void,
  actor: AuditActor,
): Promise<DataViewRecord> {
  return makeChange(database, actor, async (transaction) => {
    await lock(transaction, id);
    const given = withoutAbsent(changes);
    const view = { ...(await readDataView(transaction, id)), ...given };
    check(view);
    await transaction.query(
      `update system.data_views set name = $2::text, description = $3::text, definition = $4::text::json,
         presentation = $5::text::json, updated_at = now() where id = $1::text::uuid`,
      [id, view.name, view.description, definitionOf(view), JSON.stringify(view.presentation)],
    );
    if (changes.roleIds !== undefined) {
      await replaceOpeners(transaction, "data_view", id, changes.roleIds);
    }
    const changedFields = Object.keys(given);
    return {
      result: await readDataView(transaction, id),
      entry: { action: "data_view.update", targetKind: "data_view", targetId: id, changedFields },
    };
  });
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
  await makeChange(database, actor, async (transaction) => {
    const [row] = await transaction.query(
      "delete from system.data_views where id = $1::text::uuid returning id",
      [id],
    );
    requireFound(row);
    return {
      result: undefined,
      entry: { action: "data_view.delete", targetKind: "data_view", targetId: id },
    };
  });
}

async function lock(transaction: Transaction, id: string): Promise<void> {
  const [row] = await transaction.query(
    "select 1 from system.data_views where id = $1::text::uuid for update",
    [id],
  );
  requireFound(row);
}

function definitionOf({ fields, where, orderBy, limit }: DataViewInput): string {
  return JSON.stringify({ fields, where, orderBy, limit });
}

function withoutAbsent(changes: DataViewChanges): Partial<DataViewInput> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<DataViewInput>;
}
