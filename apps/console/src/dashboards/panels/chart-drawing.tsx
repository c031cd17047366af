import { memo } from "react";
import type { ChartData } from "../model/chart-data.ts";
import type { DrawnChart } from "../model/drawn-chart.ts";
import type { PanelWays } from "../model/panel-ways.ts";
import { AxisChart } from "./axis-chart.tsx";
import { DonutChart } from "./donut-chart.tsx";

interface ChartDrawingProps {
  readonly data: ChartData;
  readonly drawn: DrawnChart;
  readonly isHorizontal: boolean;
  readonly ways: PanelWays;
}

/** The drawing of a chart, which its frame explains and makes operable. It is the only user of the chart library. */
export const ChartDrawing = memo(function ChartDrawing(props: ChartDrawingProps) {
  const { data, drawn, isHorizontal, ways } = props;
  return drawn.kind === "donut" ? (
    <DonutChart drawn={drawn} />
  ) : (
    <AxisChart data={data} drawn={drawn} isHorizontal={isHorizontal} ways={ways} />
  );
});
