import { lazy, Suspense, useMemo } from "react";
import { useTranslations } from "use-intl";
import { type ChartData, readChart } from "../model/chart-data.ts";
import { type DrawnChart, drawnChart } from "../model/drawn-chart.ts";
import { ChartFrame } from "./chart-frame.tsx";
import { ChartLegend } from "./chart-legend.tsx";
import { ChartSentence } from "./chart-sentence.tsx";
import { NoRows } from "./no-rows.tsx";
import type { PanelProps } from "./panel-props.ts";
import { PanelTable } from "./panel-table.tsx";

const ChartDrawing = lazy(async () => ({
  default: (await import("./chart-drawing.tsx")).ChartDrawing,
}));

interface ChartPanelProps extends PanelProps {
  readonly isTable: boolean;
}

/** A chart with a sentence that says what it shows, or the table of its values. */
export function ChartPanel(props: ChartPanelProps) {
  const { panel, ways, isTable } = props;
  const t = useTranslations("panels.facts");
  const data = useMemo(() => readChart(panel, ways), [panel, ways]);
  const { chart = "bar", horizontal = false } = panel.presentation;
  const drawn = useMemo(
    () => (data === undefined ? undefined : drawnChart(data, chart)),
    [data, chart],
  );
  if (data === undefined || drawn === undefined || data.points.length === 0) return <NoRows />;
  const isDrawn = !isTable && drawn.cells.length > 0;
  return (
    <div className="grid h-full grid-rows-[minmax(0,1fr)_auto] gap-1.5">
      {isDrawn ? (
        <DrawnPart {...props} data={data} drawn={drawn} isHorizontal={horizontal} />
      ) : (
        <PanelTable {...props} />
      )}
      <div className="grid gap-0.5 text-2 text-ink-2">
        <ChartSentence data={data} ways={ways} />
        <Remarks drawn={drawn} isDrawn={isDrawn} isFilled={panel.filled !== false} />
        {panel.cut === true && <p>{t("more")}</p>}
      </div>
    </div>
  );
}

function DrawnPart(
  props: ChartPanelProps & {
    readonly data: ChartData;
    readonly drawn: DrawnChart;
    readonly isHorizontal: boolean;
  },
) {
  const { data, drawn, isHorizontal, ways, title, onDrill } = props;
  return (
    <div className="grid min-h-0 grid-rows-[auto_minmax(0,1fr)] gap-1.5">
      <ChartLegend items={drawn.legend} />
      <ChartFrame data={data} drawn={drawn} ways={ways} title={title} onDrill={onDrill}>
        <Suspense>
          <ChartDrawing data={data} drawn={drawn} isHorizontal={isHorizontal} ways={ways} />
        </Suspense>
      </ChartFrame>
    </div>
  );
}

/** What the drawing leaves out. */
function Remarks(props: {
  readonly drawn: DrawnChart;
  readonly isDrawn: boolean;
  readonly isFilled: boolean;
}) {
  const t = useTranslations("panels.facts");
  const { drawn, isDrawn, isFilled } = props;
  if (!isDrawn) return drawn.cells.length === 0 ? <p>{t("notDrawn")}</p> : null;
  return (
    <>
      {drawn.leftOut !== null && <p>{t(drawn.leftOut.what, drawn.leftOut)}</p>}
      {drawn.hasNegative && <p>{t("negative")}</p>}
      {!isFilled && <p>{t("gaps")}</p>}
    </>
  );
}
