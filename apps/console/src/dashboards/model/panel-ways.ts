import { valueText } from "../../records/values/show-value.ts";
import type { ValueColumn } from "../../records/values/value-kind.ts";
import type { Ways } from "../../records/values/ways.ts";
import { type BucketWays, bucketText, shortBucketText } from "./bucket-text.ts";
import type { AggregateTerm, GroupTerm } from "./open-panel.ts";

/** How the content of a panel is written. */
export interface PanelWays extends BucketWays {
  readonly values: Ways;
  /** Names what an aggregate computes; the name of the field is null for rows. */
  readonly aggregate: (apply: AggregateTerm["apply"], field: string | null) => string;
  /** For null and for the empty text. */
  readonly none: string;
  readonly emptyText: string;
}

/** Writes the value of a group for people: a bucket of time in the zone of the board. */
export function groupText(
  term: GroupTerm,
  column: ValueColumn,
  value: unknown,
  ways: PanelWays,
): string {
  if (value === null || value === undefined) return ways.none;
  if (value === "") return ways.emptyText;
  const bucket = term.unit === null ? undefined : bucketText(value, term.unit, ways);
  return bucket ?? valueText(column, value, ways.values);
}

/** Writes the value of a group for the small space below an axis. */
export function axisText(
  term: GroupTerm,
  column: ValueColumn,
  value: unknown,
  ways: PanelWays,
): string {
  const bucket = term.unit === null ? undefined : shortBucketText(value, term.unit, ways);
  return bucket ?? groupText(term, column, value, ways);
}

/** Writes a computed value with all its digits. */
export function amountText(column: ValueColumn, value: unknown, ways: PanelWays): string {
  return value === null || value === undefined ? ways.none : valueText(column, value, ways.values);
}
