import { namesOfParts, renameParts } from "@rowhouse/data";
import type { Snapshot } from "@rowhouse/db";
import { readIcon } from "../presentation/icons.ts";
import { readPresentation } from "../presentation/presentation.ts";
import { namesOfPresentation, renamePresentation } from "../presentation/presentation-names.ts";
import type { DataViewInput, DataViewRecord } from "../schemas/data-view-schemas.ts";
import type { StoredDataView } from "./data-views.ts";
import { bindReadingColumns, currentNames, type ReadingColumn } from "./reading-columns.ts";

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
