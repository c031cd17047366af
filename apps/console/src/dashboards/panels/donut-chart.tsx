import { Pie, PieChart, type PieSectorShapeProps, Sector } from "recharts";
import type { DrawnChart } from "../model/drawn-chart.ts";
import { fullSize, markName } from "./mark-name.ts";

/** Parts of a whole. */
export function DonutChart({ drawn }: { readonly drawn: DrawnChart }) {
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
