import { type Principal, plainPath, resolveGrantPath } from "@rowhouse/access";
import { isVisibleResource, namesOfParts } from "@rowhouse/data";
import {
  type Database,
  type Queryable,
  readPostgresFailure,
  requireFound,
  requireLegibleName,
  type Snapshot,
  schema,
  toAppError,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { and, eq, sql } from "drizzle-orm";
import { type LostFilterField, StoredMeanings } from "./stored-meanings.ts";

/** Maximum number of saved views of one person. */
export const savedViewsMax = 200;

/** A view of one resource that a person saved for themselves. */
interface SavedView {
  readonly id: string;
  readonly resourceId: string;
  readonly name: string;
  /** The order among the views of the person. */
  readonly position: number;
  /** Filter, order and columns as typed; the App API checks its form. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** The fields of its filter whose columns mean something else than when it was saved. */
  readonly lost: LostFilterField[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface SavedViewRow extends Omit<SavedView, "lost"> {
  /** The meanings of the columns of its filter by their paths; null for a view of an earlier build. */
  readonly meanings: Readonly<Record<string, string>> | null;
}

export interface SavedViewInput extends Pick<SavedView, "resourceId" | "name" | "definition"> {
  /** Undefined for the end of the list. */
  readonly position?: number | undefined;
}

export type SavedViewChanges = {
  readonly [Key in "name" | "position" | "definition"]?: SavedView[Key] | undefined;
};

const { savedViews } = schema;

const selectSql = `select pg_catalog.json_build_object('id', v.id, 'resourceId', v.resource_id, 'name', v.name, 'position', v.position,
    'definition', v.definition, 'meanings', v.meanings, 'createdAt', v.created_at, 'updatedAt', v.updated_at) as view
  from system.saved_views v where v.user_id = $1::text::uuid`;

/** Lists the saved views of a person by position and name. */
export async function listSavedViews(
  database: Queryable,
  snapshot: Pick<Snapshot, "catalogue">,
  userId: string,
): Promise<SavedView[]> {
  const rows = await database.query<{ view: SavedViewRow }>(
    `${selectSql} order by v.position, lower(v.name), v.id`,
    [userId],
  );
  return rows.map(({ view }) => currentView(view, snapshot));
}

/** Returns a saved view with the current labels of enums in its filter. */
function currentView(
  { meanings, ...view }: SavedViewRow,
  { catalogue }: Pick<Snapshot, "catalogue">,
): SavedView {
  const stored = new StoredMeanings(
    new Map(Object.entries(meanings ?? {})),
    catalogue.relationByResource(view.resourceId),
    catalogue,
  );
  const { where, ...definition } = view.definition;
  const current = stored.filter(where);
  return {
    ...view,
    definition: where === undefined ? definition : { ...definition, where: current },
    lost: stored.lost,
  };
}

/** Returns the meanings of the columns that the filter of a saved view names, by their paths. */
function meaningsOf(
  { catalogue }: Pick<Snapshot, "catalogue">,
  { resourceId, definition }: Pick<SavedView, "resourceId" | "definition">,
): Record<string, string> {
  const relation = catalogue.relationByResource(resourceId.toLowerCase());
  if (relation === undefined) return {};
  return Object.fromEntries(
    namesOfParts({ where: definition.where }).flatMap((path) => {
      const mention = plainPath(path);
      const meaning = resolveGrantPath(catalogue, relation, mention)?.column.meaning;
      return meaning === undefined ? [] : [[mention, meaning]];
    }),
  );
}

/**
 * Returns one saved view of a person.
 *
 * @throws AppError NOT_FOUND, also for the view of another person
 */
async function readSavedView(
  database: Queryable,
  snapshot: Pick<Snapshot, "catalogue">,
  userId: string,
  id: string,
): Promise<SavedView> {
  const [row] = await database.query<{ view: SavedViewRow }>(
    `${selectSql} and v.id = $2::text::uuid`,
    [userId, id],
  );
  return currentView(requireFound(row).view, snapshot);
}

/**
 * Saves a view.
 *
 * @throws AppError CONFLICT for a name that the person uses for the same resource, or beyond the maximum number;
 * NOT_FOUND if the resource was dropped
 */
export async function createSavedView(
  database: Database,
  snapshot: Pick<Snapshot, "catalogue">,
  userId: string,
  { resourceId, name, definition, position }: SavedViewInput,
): Promise<SavedView> {
  await requireLegibleName(name);
  const create = database.transaction(async (transaction) => {
    // Serializes the creations of one person, so that they cannot exceed the maximum together.
    await transaction.query(
      "select from system.users where id = $1::text::uuid for no key update",
      [userId],
    );
    const [known] = await transaction.query<{ count: number; next: number }>(
      `select pg_catalog.count(*)::integer as count, coalesce(pg_catalog.max(position) + 1, 0)::integer as next
       from system.saved_views where user_id = $1::text::uuid`,
      [userId],
    );
    if ((known?.count ?? 0) >= savedViewsMax) {
      const message = `A person has at most ${savedViewsMax} saved views`;
      throw createError("CONFLICT", { path: "/data", message });
    }
    const meanings = meaningsOf(snapshot, { resourceId, definition });
    const place = position ?? known?.next ?? 0;
    const [row] = await transaction.orm
      .insert(savedViews)
      .values({ userId, resourceId, name, definition, meanings, position: place })
      .returning({ id: savedViews.id });
    return readSavedView(transaction, snapshot, userId, requireFound(row).id);
  });
  return create.catch(refuse);
}

/**
 * Changes the given members of a saved view.
 *
 * @throws AppError NOT_FOUND; CONFLICT for a name that the person uses for the same resource
 */
export async function updateSavedView(
  database: Database,
  snapshot: Pick<Snapshot, "catalogue">,
  userId: string,
  { id, resourceId }: Pick<SavedView, "id" | "resourceId">,
  changes: SavedViewChanges,
): Promise<SavedView> {
  const { definition } = changes;
  const given = Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as Partial<SavedViewChanges>;
  const update = database.transaction(async (transaction) => {
    await requireLegibleName(
      changes.name,
      undefined,
      async () => (await readSavedView(transaction, snapshot, userId, id)).name,
    );
    await transaction.orm
      .update(savedViews)
      .set({
        ...given,
        ...(definition && { meanings: meaningsOf(snapshot, { resourceId, definition }) }),
        updatedAt: sql`now()`,
      })
      .where(and(eq(savedViews.id, id), eq(savedViews.userId, userId)));
    return readSavedView(transaction, snapshot, userId, id);
  });
  return update.catch(refuse);
}

/**
 * Deletes a saved view.
 *
 * @throws AppError NOT_FOUND
 */
export async function deleteSavedView(
  database: Database,
  userId: string,
  id: string,
): Promise<void> {
  const [row] = await database.orm
    .delete(savedViews)
    .where(and(eq(savedViews.id, id), eq(savedViews.userId, userId)))
    .returning({ id: savedViews.id });
  requireFound(row);
}

function refuse(error: unknown): never {
  const state = readPostgresFailure(error)?.code;
  if (state === "23505") {
    const message = "Another view of this resource has the name";
    throw createError("CONFLICT", { path: "/data/name", message, cause: error });
  }
  // The resource was dropped after the check.
  if (state === "23503") throw createError("NOT_FOUND", { cause: error });
  throw toAppError(error);
}

/**
 * Returns a saved view of a person.
 *
 * @throws AppError NOT_FOUND for the view of another person, and while its resource is hidden from its owner
 */
export async function readVisibleView(
  database: Queryable,
  snapshot: Snapshot,
  principal: Pick<Principal, "userId" | "roleIds">,
  id: string,
): Promise<SavedView> {
  const view = await readSavedView(database, snapshot, principal.userId, id);
  if (!isVisibleResource(view.resourceId, snapshot, principal)) throw createError("NOT_FOUND");
  return view;
}
