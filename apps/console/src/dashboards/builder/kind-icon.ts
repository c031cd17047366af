import {
  ChartArea,
  ChartColumn,
  ChartColumnStacked,
  ChartLine,
  ChartPie,
  Hash,
  List,
  type LucideIcon,
  Table2,
  Type,
} from "lucide-react";
import type { ChartForm, PanelContentParts, PanelKind } from "./draft.ts";

/** The icons of the kinds of panels. */
export const kindIcons: Readonly<Record<PanelKind, LucideIcon>> = {
  FIGURE: Hash,
  CHART: ChartColumn,
  PIVOT: Table2,
  LIST: List,
  TEXT: Type,
};

const formIcons: Readonly<Record<ChartForm, LucideIcon>> = {
  bar: ChartColumn,
  stacked: ChartColumnStacked,
  line: ChartLine,
  area: ChartArea,
  donut: ChartPie,
};

/** Returns the icon of a panel: of a chart, that of its form. */
export function contentIcon({ kind, presentation }: PanelContentParts): LucideIcon {
  return kind === "CHART" ? formIcons[presentation.chart] : kindIcons[kind];
}
