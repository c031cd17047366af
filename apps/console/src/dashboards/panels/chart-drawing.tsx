import { memo } from "react";
import { Pie, PieChart, type PieSectorShapeProps, Sector } from "recharts";
import type { ChartData } from "../model/chart-data.ts";
import type { DrawnChart } from "../model/drawn-chart.ts";
import type { PanelWays } from "../model/panel-ways.ts";
import { AxisChart } from "./axis-chart.tsx";
import { fullSize, markName } from "./mark-name.ts";

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

/** Parts of a whole. */
function DonutChart({ drawn }: { readonly drawn: DrawnChart }) {
  const slices = drawn.cells.map((cell, at) => ({ at, size: cell.size ?? 0 }));
  const draw = (props: PieSectorShapeProps) => {
    const { cx, cy, innerRadius, outerRadius, startAngle, endAngle } = props;
    const cell = drawn.cells[props.index];
    if (cell === undefined) return <g />;
    return (
      <g data-mark={markName(cell)}>
        <Sector
          {...{ cx, cy, innerRadius, outerRadius, startAngle, endAngle }}
          fill={`var(--tone-${drawn.colorOf(cell)})`}
          stroke="var(--surface)"
        />
      </g>
    );
  };
  return (
    <PieChart responsive style={fullSize} accessibilityLayer={false}>
      <Pie
        data={slices}
        dataKey="size"
        nameKey="at"
        innerRadius="58%"
        outerRadius="96%"
        startAngle={90}
        endAngle={-270}
        isAnimationActive={false}
        rootTabIndex={-1}
        shape={draw}
      />
    </PieChart>
  );
}
