import type { IconComponent } from "../../ui/create-icon.ts";
import {
  ChartArea,
  ChartColumn,
  ChartColumnStacked,
  ChartLine,
  ChartPie,
  Hash,
  List,
  Table2,
  Type,
} from "../../ui/icons.generated.ts";
import type { ChartForm, PanelContentParts, PanelKind } from "./draft.ts";

/** The icons of the kinds of panels. */
export const kindIcons: Readonly<Record<PanelKind, IconComponent>> = {
  FIGURE: Hash,
  CHART: ChartColumn,
  PIVOT: Table2,
  LIST: List,
  TEXT: Type,
};

const formIcons: Readonly<Record<ChartForm, IconComponent>> = {
  bar: ChartColumn,
  stacked: ChartColumnStacked,
  line: ChartLine,
  area: ChartArea,
  donut: ChartPie,
};

/** Returns the icon of a panel: of a chart, that of its form. */
export function contentIcon({ kind, presentation }: PanelContentParts): IconComponent {
  return kind === "CHART" ? formIcons[presentation.chart] : kindIcons[kind];
}
