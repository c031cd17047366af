import type { AdminOperations } from "@rowhouse/client";
import type { Received } from "../../shell/client.ts";
import type { ChartKind, TimeUnit } from "../model/open-panel.ts";
import type { Place } from "./layout.ts";

/** A dashboard as the Admin API returns it. */
export type StoredDashboard = AdminOperations["GET /dashboards/{id}"]["answer"]["data"];

/** The body of a request that creates a dashboard. */
export type DashboardBody = AdminOperations["POST /dashboards"]["data"];

type Body = Given<Received<DashboardBody>>;
type Given<Members> = { readonly [Key in keyof Members]-?: Exclude<Members[Key], undefined> };

/** A dashboard while it is edited. */
export interface Draft extends Omit<Body, "parameters" | "panels"> {
  readonly parameters: readonly Parameter[];
  readonly panels: readonly Panel[];
}

type BodyParameter<Kind> = Extract<Body["parameters"][number], { readonly kind: Kind }>;

/** What every panel of the dashboard may be narrowed by. */
export type Parameter =
  | BodyParameter<"PERIOD">
  | BodyParameter<"PERSON">
  | (Omit<BodyParameter<"VALUE">, "resourceId"> & {
      /** Null until a table is chosen, and after it was dropped. */
      readonly resourceId: string | null;
    });

/** A period in the reader's time zone; `until` is the first day after it. */
export type Period = NonNullable<BodyParameter<"PERIOD">["default"]>;

type BodyPanel<Kind extends PanelKind> = Extract<Body["panels"][number], { readonly kind: Kind }>;

interface PanelOf<Kind extends PanelKind> {
  readonly kind: Kind;
  readonly id: string;
  readonly title: string;
  /** Null until a table is chosen, after it was dropped, and for texts. */
  readonly resourceId: string | null;
  readonly layout: Place;
  readonly bindings: readonly { readonly parameter: string; readonly field: string }[];
  readonly definition: BodyPanel<Kind>["definition"];
  readonly presentation: NonNullable<BodyPanel<Kind>["presentation"]>;
}

export type FigurePanel = PanelOf<"FIGURE">;
export type ChartPanel = PanelOf<"CHART">;
export type PivotPanel = PanelOf<"PIVOT"> & {
  readonly definition: { readonly columns: readonly string[] };
};
export type ListPanel = PanelOf<"LIST">;

export const chartForms = [
  "bar",
  "stacked",
  "line",
  "area",
  "donut",
] as const satisfies ChartKind[];
export type ChartForm = ChartKind;

/** A panel of the draft. */
export type Panel = FigurePanel | ChartPanel | PivotPanel | ListPanel | PanelOf<"TEXT">;

export type PanelKind = Body["panels"][number]["kind"];
export const panelKinds = [
  "FIGURE",
  "CHART",
  "PIVOT",
  "LIST",
  "TEXT",
] as const satisfies PanelKind[];

/** The parts of a panel by which it reads and shows. */
export type PanelContentParts = {
  [Kind in PanelKind]: Pick<
    Extract<Panel, { readonly kind: Kind }>,
    "kind" | "definition" | "presentation"
  >;
}[PanelKind];

/** The units by which times are grouped, from the shortest. */
export const bucketUnits = [
  ...(["minute", "hour", "day", "week", "month", "quarter", "year"] as const),
] as const satisfies TimeUnit[];

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
