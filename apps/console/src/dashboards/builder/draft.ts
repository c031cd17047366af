import type { Where } from "../../records/filter/filter-tree.ts";
import type { NamedPeriod } from "../model/open-dashboard.ts";
import type { Place } from "./layout.ts";

/** A dashboard while it is edited. */
export interface Draft {
  readonly name: string;
  readonly description: string;
  readonly icon: string | null;
  /** Its place in the navigation. */
  readonly position: number;
  /** Null for a board that is read again on request only. */
  readonly refreshSeconds: number | null;
  readonly roleIds: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly panels: readonly Panel[];
}

/** What every panel of the dashboard may be narrowed by. */
export type Parameter = ParameterParts &
  (
    | { readonly kind: "PERIOD"; readonly default?: Period | null }
    | {
        readonly kind: "VALUE";
        readonly resourceId: string | null;
        readonly field: string;
        readonly multiple?: boolean;
        readonly default?: unknown;
      }
    | {
        readonly kind: "PERSON";
        /** With a field, the choices are the persons whom it names. */
        readonly resourceId?: string | null;
        readonly field?: string | null;
        readonly default?: "ME" | null;
      }
  );

interface ParameterParts {
  readonly name: string;
  readonly label: string;
}

/** A period in the reader's time zone; `until` is the first day after it. */
export type Period = NamedPeriod | { readonly from: string; readonly until: string };

/** A parameter narrows a panel by one of its fields. */
interface Binding {
  readonly parameter: string;
  readonly field: string;
}

interface PanelParts {
  readonly id: string;
  readonly title: string;
  /** Null until a table is chosen, after it was dropped, and for texts. */
  readonly resourceId: string | null;
  readonly layout: Place;
  readonly bindings: readonly Binding[];
}

export interface FigurePanel extends PanelParts {
  readonly kind: "FIGURE";
  readonly definition: {
    readonly aggregate: readonly string[];
    readonly where?: Where;
    readonly time?: { readonly field: string; readonly unit?: TimeUnit };
    readonly comparison?: boolean;
    readonly sparkline?: boolean;
  };
  readonly presentation: {
    readonly version: 1;
    readonly goodWhen?: "UP" | "DOWN";
    readonly color?: string;
  };
}

export interface ChartPanel extends PanelParts {
  readonly kind: "CHART";
  readonly definition: {
    readonly aggregate: readonly string[];
    readonly groupBy: readonly string[];
    readonly where?: Where;
    readonly having?: Where;
    readonly orderBy?: readonly string[];
    readonly limit?: number | null;
    readonly fillGaps?: boolean;
  };
  readonly presentation: {
    readonly version: 1;
    readonly chart: ChartForm;
    readonly horizontal?: boolean;
  };
}

export const chartForms = ["bar", "stacked", "line", "area", "donut"] as const;
export type ChartForm = (typeof chartForms)[number];

export interface PivotPanel extends PanelParts {
  readonly kind: "PIVOT";
  readonly definition: {
    readonly aggregate: readonly string[];
    readonly rows: readonly string[];
    readonly columns: readonly string[];
    readonly where?: Where;
    readonly limit?: number | null;
  };
  readonly presentation: { readonly version: 1; readonly totals?: boolean };
}

export interface ListPanel extends PanelParts {
  readonly kind: "LIST";
  readonly definition: {
    readonly fields?: readonly string[] | null;
    readonly where?: Where;
    readonly orderBy?: readonly string[];
    readonly limit?: number | null;
  };
  readonly presentation: {
    readonly version: 1;
    readonly layout: "table";
    readonly columns: readonly { readonly field: string }[];
  };
}

interface TextPanel extends PanelParts {
  readonly kind: "TEXT";
  readonly definition: { readonly markdown: string };
  readonly presentation: { readonly version: 1 };
}

/** A panel of the draft. */
export type Panel = FigurePanel | ChartPanel | PivotPanel | ListPanel | TextPanel;

export const panelKinds = ["FIGURE", "CHART", "PIVOT", "LIST", "TEXT"] as const;
export type PanelKind = (typeof panelKinds)[number];

/** The parts of a panel by which it reads and shows. */
export type PanelContentParts = {
  [Kind in PanelKind]: Pick<
    Extract<Panel, { readonly kind: Kind }>,
    "kind" | "definition" | "presentation"
  >;
}[PanelKind];

/** The units by which times are grouped, from the shortest. */
export const timeUnits = ["minute", "hour", "day", "week", "month", "quarter", "year"] as const;
export type TimeUnit = (typeof timeUnits)[number];

/** An empty dashboard. */
export const emptyDraft: Draft = {
  name: "",
  description: "",
  icon: null,
  position: 0,
  refreshSeconds: null,
  roleIds: [],
  parameters: [],
  panels: [],
};

export const panelsMax = 40;

/** The size that a new panel of a kind has. */
export const usualSizes: Readonly<Record<PanelKind, Pick<Place, "w" | "h">>> = {
  FIGURE: { w: 3, h: 3 },
  CHART: { w: 6, h: 6 },
  PIVOT: { w: 6, h: 6 },
  LIST: { w: 6, h: 6 },
  TEXT: { w: 6, h: 3 },
};
