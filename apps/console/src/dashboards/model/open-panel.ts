import type { ColorName } from "../../records/values/color-of.ts";
import type { ValueColumn } from "../../records/values/value-kind.ts";
import type { NavigationColumn } from "../../shell/navigation.ts";

/** The values of the groups of a mark, by the names of the groups. */
export type Mark = Readonly<Record<string, unknown>>;

/** A unit by which times are cut into buckets. */
export type TimeUnit = "year" | "quarter" | "month" | "week" | "day" | "hour" | "minute";

/** What the values of a panel are grouped by. */
export interface GroupTerm {
  readonly name: string;
  readonly field: string;
  readonly unit: TimeUnit | null;
}

/** What a panel computes of each group. */
export interface AggregateTerm {
  readonly name: string;
  readonly apply: "count" | "count_distinct" | "sum" | "avg" | "min" | "max";
  readonly field: string | null;
}

/** A field with its presentation, as the App API answers it. */
export type PanelField = Pick<
  NavigationColumn,
  "name" | "dataType" | "values" | "label" | "format" | "colors"
> &
  Pick<ValueColumn, "titles">;

export type ChartKind = "bar" | "stacked" | "line" | "area" | "donut";

/** The look of a panel; each kind has some of the parts. */
interface PanelPresentation {
  readonly chart?: ChartKind | undefined;
  readonly horizontal?: boolean | undefined;
  readonly totals?: boolean | undefined;
  readonly goodWhen?: "UP" | "DOWN" | undefined;
  readonly color?: ColorName | undefined;
}

/** Where a panel lies on the board of twelve columns. */
export interface PanelLayout {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A panel with its content, as a person may see it. */
export interface OpenPanel {
  readonly id: string;
  readonly title: string;
  readonly kind: "FIGURE" | "CHART" | "PIVOT" | "LIST" | "TEXT";
  readonly layout: PanelLayout;
  readonly presentation: PanelPresentation;
  readonly resource?: { readonly label: string | null; readonly name: string } | undefined;
  readonly terms?:
    | {
        readonly groups: readonly GroupTerm[];
        readonly aggregates: readonly AggregateTerm[];
      }
    | undefined;
  /** The groups of the lines and of the columns of a pivot. */
  readonly pivot?:
    | { readonly rows: readonly string[]; readonly columns: readonly string[] }
    | undefined;
  /** Of a pivot, computed from the rows and not from the cells. */
  readonly totals?:
    | { readonly rows: readonly Mark[]; readonly columns: readonly Mark[]; readonly all: Mark }
    | undefined;
  readonly fields?: readonly PanelField[] | undefined;
  readonly rows?: readonly Mark[] | undefined;
  /** Whether there are more groups than the panel has. */
  readonly cut?: boolean | undefined;
  /** False if the axis of time has no positions for buckets without rows. */
  readonly filled?: boolean | undefined;
  readonly figure?: { readonly value: unknown; readonly previous?: unknown } | undefined;
  readonly sparkline?: readonly { readonly bucket: unknown; readonly value: unknown }[] | undefined;
  readonly markdown?: string | undefined;
  readonly canDrill?: boolean | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  readonly meta?: { readonly asOf: string } | undefined;
}
