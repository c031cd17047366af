import { memo, type ReactNode } from "react";
import {
  Area,
  Bar,
  type BarShapeProps,
  CartesianGrid,
  ComposedChart,
  type DotItemDotProps,
  Line,
  Pie,
  PieChart,
  type PieSectorShapeProps,
  ReferenceLine,
  Sector,
  XAxis,
  YAxis,
} from "recharts";
import { numberText } from "../../records/values/show-number.ts";
import type { ValueColumn } from "../../records/values/value-kind.ts";
import type { ChartCell, ChartData, ChartSeries } from "../model/chart-data.ts";
import type { DrawnChart } from "../model/drawn-chart.ts";
import type { PanelWays } from "../model/panel-ways.ts";
import { fullSize, markName } from "./use-chart-marks.ts";

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

interface AxisChartProps {
  readonly data: ChartData;
  readonly drawn: DrawnChart;
  readonly isHorizontal: boolean;
  readonly ways: PanelWays;
}

const tick = { fill: "var(--ink-2)", fontSize: 11 } as const;
const axisLine = { stroke: "var(--line-strong)" } as const;
const margin = { top: 6, right: 6, bottom: 0, left: 0 } as const;
/** Positions up to which every one of them has a dot. */
const dotsMax = 60;
const labelMax = 16;
/** Names that an axis shows all, and the letters of names that fit side by side into a panel of usual width. */
const namesMax = 24;
const levelLetters = 56;
/** Lines differ by more than their color. */
const dashes = ["", "6 3", "2 3", "8 3 2 3"] as const;

/** Bars, lines or areas over an axis. */
export function AxisChart({ data, drawn, isHorizontal, ways }: AxisChartProps) {
  const { kind } = drawn;
  const isBar = kind === "bar" || kind === "stacked";
  const isLying = isHorizontal && isBar;
  const rows = data.cells.map((line, at) => ({
    at,
    ...Object.fromEntries(drawn.series.map((index) => [`s${index}`, line[index]?.size ?? null])),
  }));
  const [first] = data.series;
  const second = isLying ? undefined : data.series.find((one) => isOtherScale(one, first));
  const axisOf = (series: ChartSeries) =>
    second !== undefined && isOtherScale(series, first) ? "other" : "own";
  const position = {
    ...({ type: "category", dataKey: "at", tick, axisLine, tickLine: false } as const),
    tickFormatter: (at: number) => shortened(data.points[at]?.axis ?? ""),
  };
  const amount = (series: ChartSeries | undefined) => ({
    ...({ type: "number", tick, axisLine: false, tickLine: false } as const),
    tickFormatter: (size: number) =>
      series === undefined ? "" : tickText(series.column, size, ways),
  });
  return (
    <ComposedChart
      responsive
      style={fullSize}
      data={rows}
      layout={isLying ? "vertical" : "horizontal"}
      accessibilityLayer={false}
      margin={margin}
      barCategoryGap="18%"
      barGap={1}
      stackOffset="sign"
    >
      <CartesianGrid stroke="var(--line)" vertical={isLying} horizontal={!isLying} />
      {isLying ? (
        <>
          <XAxis {...amount(first)} />
          <YAxis
            {...position}
            {...(isNamed(data) ? { interval: 0 } : {})}
            width="auto"
            yAxisId="own"
          />
        </>
      ) : (
        <>
          <XAxis {...position} {...namedTicks(data)} />
          <YAxis {...amount(first)} width="auto" yAxisId="own" />
          {second !== undefined && (
            <YAxis {...amount(second)} width="auto" yAxisId="other" orientation="right" />
          )}
        </>
      )}
      {!isLying && <ReferenceLine y={0} yAxisId="own" stroke="var(--line-strong)" />}
      {drawn.series.map((index, place) => {
        const series = data.series[index];
        return series === undefined ? null : seriesOf(index, place, series);
      })}
    </ComposedChart>
  );

  function seriesOf(index: number, place: number, series: ChartSeries): ReactNode {
    const color = `var(--tone-${series.color})`;
    const shared = {
      ...{ key: index, dataKey: `s${index}`, yAxisId: axisOf(series) },
      isAnimationActive: false,
    } as const;
    const cellAt = (at: unknown): ChartCell | undefined =>
      typeof at === "number" ? data.cells[at]?.[index] : undefined;
    if (isBar) {
      return (
        <Bar
          {...shared}
          {...(kind === "stacked" ? { stackId: axisOf(series) } : {})}
          maxBarSize={48}
          shape={(props: BarShapeProps) => bar(props, cellAt(props.payload?.at), drawn)}
        />
      );
    }
    const dot = (props: DotItemDotProps) =>
      point(props, cellAt(props.payload?.at), color, data.points.length <= dotsMax);
    const line = {
      ...({ type: "linear", stroke: color, strokeWidth: 2, dot, activeDot: false } as const),
      strokeDasharray: dashes[place % dashes.length] ?? "",
    };
    return kind === "area" ? (
      <Area
        {...shared}
        {...line}
        fill={color}
        fillOpacity={0.14}
        {...(data.series.length > 1 ? { stackId: axisOf(series) } : {})}
      />
    ) : (
      <Line {...shared} {...line} />
    );
  }
}

/** Whether each position has a label: names cannot be guessed from their neighbors, as times can. */
function isNamed({ isTime, points }: ChartData): boolean {
  return !isTime && points.length <= namesMax;
}

/** The labels below an axis. Names that do not fit side by side are turned. */
function namedTicks(data: ChartData) {
  if (!isNamed(data)) return { minTickGap: 12 };
  const letters = data.points.reduce((sum, { axis }) => sum + shortened(axis).length + 2, 0);
  if (letters <= levelLetters) return { interval: 0 } as const;
  return { interval: 0, angle: -40, textAnchor: "end", height: 64 } as const;
}

/** Whether values of two series need axes of their own, such as a number of rows and a sum of money. */
function isOtherScale(one: ChartSeries, other: ChartSeries | undefined): boolean {
  return (
    other !== undefined &&
    one.aggregate.name !== other.aggregate.name &&
    (one.aggregate.field !== other.aggregate.field || one.column.format !== other.column.format)
  );
}

function bar(props: BarShapeProps, cell: ChartCell | undefined, drawn: DrawnChart) {
  const { x, y, width, height } = props;
  if (cell === undefined || cell.size === null) return <g />;
  return (
    <g data-mark={markName(cell)}>
      <rect
        x={Math.min(x, x + width)}
        y={Math.min(y, y + height)}
        width={Math.abs(width)}
        height={Math.abs(height)}
        rx={Math.min(2, Math.abs(width) / 2, Math.abs(height) / 2)}
        fill={`var(--tone-${drawn.colorOf(cell)})`}
      />
    </g>
  );
}

function point(
  { cx, cy, index }: DotItemDotProps,
  cell: ChartCell | undefined,
  color: string,
  isShown: boolean,
) {
  if (cell === undefined || cell.size === null || cx === undefined || cy === undefined) {
    return <g key={index} />;
  }
  return (
    <g key={index} data-mark={markName(cell)}>
      <circle cx={cx} cy={cy} r={isShown ? 3 : 0} fill={color} />
    </g>
  );
}

function shortened(text: string): string {
  const letters = [...text.slice(0, 4 * labelMax)];
  return letters.length > labelMax ? `${letters.slice(0, labelMax).join("")}…` : text;
}

const whole: ReadonlySet<string> = new Set(["percent", "bytes", "duration"]);
const formatters = new Map<string, Intl.NumberFormat>();

/** Writes a number beside an axis, as short as its format allows. */
function tickText(column: ValueColumn, size: number, ways: PanelWays): string {
  const { format } = column;
  if (format !== null && whole.has(format.type)) {
    return numberText(String(Number(size.toPrecision(6))), format, ways.values);
  }
  const currency = format?.type === "currency" ? format.currency : "";
  const key = `${ways.locale} ${currency}`;
  const options: Intl.NumberFormatOptions = {
    ...{ notation: "compact", maximumFractionDigits: 1 },
    ...(currency === "" ? {} : { style: "currency", currency }),
  };
  const formatter = formatters.get(key) ?? new Intl.NumberFormat(ways.locale, options);
  formatters.set(key, formatter);
  return formatter.format(size);
}
