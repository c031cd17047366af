import { namesOfParts, renameParts } from "@rowhouse/data";
import { type RecordFilter, readPostgresFailure, type Snapshot, schema } from "@rowhouse/db";
import { eq, sql } from "drizzle-orm";
import { readIcon } from "../presentation/icons.ts";
import { namesOfPresentation, renamePresentation } from "../presentation/map-presentation.ts";
import { navigationKey, openers } from "../presentation/openers.ts";
import { readPresentation } from "../presentation/presentation.ts";
import type { DataViewInput, DataViewRecord } from "../schemas/data-view-schemas.ts";
import {
  bindReadingColumns,
  currentNames,
  type MentionedName,
  mentionedNamesSql,
  type ReadingColumn,
} from "./reading-columns.ts";
import { ReadingRecords } from "./reading-records.ts";
import { StoredMeanings } from "./stored-meanings.ts";

/** A DataView as it is stored: with the names of the moment at which it was saved. */
export interface StoredDataView extends Omit<DataViewRecord, "icon" | "presentation" | "lost"> {
  readonly icon: string | null;
  /** Of any form: an earlier version stored what it received. */
  readonly presentation: unknown;
  /** The columns that it names. */
  readonly columns: readonly MentionedName[];
}

const { dataViews } = schema;

export const dataViewRecords = new ReadingRecords<DataViewInput, StoredDataView>({
  name: "data_view",
  table: dataViews,
  from: "system.data_views v",
  id: "v.id",
  json: `pg_catalog.json_build_object('id', v.id, 'name', v.name, 'description', v.description, 'icon', v.icon, 'position', v.position,
    'resourceId', v.resource_id, 'columns', ${mentionedNamesSql("data_view", "v.id")},
    'fields', v.definition -> 'fields'::text, 'where', v.definition -> 'where'::text, 'orderBy', v.definition -> 'orderBy'::text,
    'limit', v.definition -> 'limit'::text, 'presentation', v.presentation, 'roleIds', ${openers("data_view", "v.id")},
    'createdAt', v.created_at, 'updatedAt', v.updated_at)`,
  sortKey: navigationKey("v"),
  searched: "v.name",
  filters: "where",
  insert: async ({ orm }, input) => {
    const [row] = await orm
      .insert(dataViews)
      .values({ ...valuesOf(input), resourceId: input.resourceId })
      .returning({ id: dataViews.id })
      .catch(nothingWithoutResource);
    return row?.id;
  },
  update: async ({ orm }, id, input) => {
    await orm
      .update(dataViews)
      .set({ ...valuesOf(input), updatedAt: sql`now()` })
      .where(eq(dataViews.id, id));
  },
});

/** Restricts a list of DataViews to those of a resource; null for all. */
export function ofResource(resourceId: string | null): RecordFilter {
  return { value: resourceId, sql: (value) => `v.resource_id = ${value}::uuid` };
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

/** Returns a stored DataView with the current names of its columns, and of the labels in its filter. */
export function currentDataView(
  stored: StoredDataView,
  { catalogue }: Pick<Snapshot, "catalogue">,
): DataViewRecord {
  const view = namedDataView(stored);
  const meanings = StoredMeanings.ofReading(stored.columns, view.resourceId, catalogue);
  const where = meanings.filter(view.where);
  return { ...view, where, lost: meanings.lost };
}

/** Returns a stored DataView with the current names of its columns. */
export function namedDataView({
  columns,
  icon,
  presentation,
  ...stored
}: StoredDataView): Omit<DataViewRecord, "lost"> {
  const nameOf = currentNames(columns, stored.resourceId);
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
