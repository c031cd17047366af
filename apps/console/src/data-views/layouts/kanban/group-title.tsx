import type { GridColumn } from "../../../records/grid/grid-column.ts";
import { CellValue } from "../../../records/values/cell-value.tsx";
import { valueText } from "../../../records/values/show-value.ts";
import type { Ways } from "../../../records/values/ways.ts";
import type { ViewGroup } from "../../model/open-view.ts";

/** The name of a column: the text of the related row, or its value as the field shows it. */
export function GroupTitle({
  item,
  group,
}: {
  readonly item: GridColumn | undefined;
  readonly group: ViewGroup;
}) {
  if (group.label !== null) {
    return (
      <bdi className="truncate" title={group.label}>
        {group.label}
      </bdi>
    );
  }
  return item === undefined ? null : <CellValue column={item.column} value={group.value ?? null} />;
}

/** The same as a text, for labels. */
export function groupText(item: GridColumn | undefined, group: ViewGroup, ways: Ways): string {
  if (group.label !== null) return group.label;
  const { value = null } = group;
  if (value === null || item === undefined) return ways.say("none");
  return valueText(item.column, value, ways);
}
