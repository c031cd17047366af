import { readName, writeName } from "@rowhouse/access";
import type { AggregateReading, ListReading, TimeUnit } from "@rowhouse/data";
import type { Panel, PanelDefinition } from "./dashboard-schemas.ts";

type Defined = Pick<Panel, "kind" | "definition">;

/** Returns the definition of a panel; it was checked when it was stored. */
export function definitionOf({ definition }: Pick<Panel, "definition">): PanelDefinition {
  return definition as PanelDefinition;
}

/** The groups of a panel: none of a figure, the axis and the series of a chart, rows and columns of a pivot table. */
export function groupTermsOf({ kind, definition }: Defined): readonly string[] {
  const { groupBy = [], rows = [], columns = [] } = definition as PanelDefinition;
  if (kind === "PIVOT") return [...rows, ...columns];
  return kind === "CHART" ? groupBy : [];
}

/** Returns the reading of a list. */
export function listReadingOf(panel: Defined): ListReading {
  const { fields = null, where = null, orderBy = [], limit = null } = definitionOf(panel);
  return { kind: "LIST", fields, where, orderBy, limit };
}

/** Returns the reading of the groups of a figure, a chart or a pivot table. */
export function groupReadingOf(panel: Defined): AggregateReading {
  const {
    aggregate = [],
    where = null,
    having = null,
    orderBy = [],
    limit = null,
  } = definitionOf(panel);
  const groupBy = groupTermsOf(panel);
  return { kind: "AGGREGATE", aggregate, groupBy, where, having, orderBy, limit };
}

/** The number of buckets of a sparkline without a period. */
export const sparklineBuckets = 30;

/** Returns the reading of a figure's latest buckets, newest first. */
export function sparklineReadingOf(
  panel: Defined,
  field: string,
  unit: TimeUnit,
  limit: number | null,
): AggregateReading {
  const bucket = writeName(`${readName(field)}_${unit}`);
  return {
    ...groupReadingOf(panel),
    groupBy: [`date_trunc(${unit},${field})`],
    orderBy: [`-${bucket}:nulls_last`],
    limit,
  };
}
