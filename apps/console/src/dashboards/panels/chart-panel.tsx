import { lazy, type ReactNode, Suspense, useId, useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { type ChartData, readChart } from "../model/chart-data.ts";
import {
  type ChartFacts,
  chartFacts,
  type DrawnChart,
  drawnChart,
  type LegendItem,
  placeOf,
} from "../model/drawn-chart.ts";
import { amountText, type PanelWays } from "../model/panel-ways.ts";
import { NoRows, type PanelProps } from "./panel-props.tsx";
import { PanelTable } from "./panel-table.tsx";
import { useChartMarks } from "./use-chart-marks.ts";

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

/** The colors of a chart with their meanings. */
function ChartLegend({ items }: { readonly items: readonly LegendItem[] }) {
  if (items.length === 0) return <span />;
  return (
    <ul
      ref={watchOverflow}
      data-legend
      className="flex max-h-12 flex-wrap gap-x-3 overflow-y-auto rounded-control text-2 text-ink-2"
    >
      {items.map(({ key, text, color }) => (
        <li key={key} className="flex min-w-0 max-w-48 items-center gap-1.5">
          <span
            aria-hidden="true"
            className="size-2.5 shrink-0 rounded-[3px]"
            style={{ background: `var(--tone-${color})` }}
          />
          <bdi className="truncate" title={text}>
            {text}
          </bdi>
        </li>
      ))}
    </ul>
  );
}

/** A list that is larger than its place takes the focus, so that the keyboard scrolls it. */
function watchOverflow(list: HTMLUListElement): () => void {
  const observer = new ResizeObserver(() => {
    if (list.scrollHeight > list.clientHeight) list.tabIndex = 0;
    else list.removeAttribute("tabindex");
  });
  observer.observe(list);
  return () => observer.disconnect();
}

/** Letters of a place in a sentence; the table has all of them. */
const placeMax = 40;

interface ChartSentenceProps {
  readonly data: ChartData;
  readonly ways: PanelWays;
}

/** Says in words what a chart shows. */
function ChartSentence({ data, ways }: ChartSentenceProps) {
  const sentence = useChartSentence(data, ways);
  return (
    <p dir="auto" title={sentence} className="line-clamp-2 wrap-anywhere print:line-clamp-none">
      {sentence}
    </p>
  );
}

/** Returns the sentence that says what a chart shows. */
function useChartSentence(data: ChartData, ways: PanelWays): string {
  const t = useTranslations("panels.facts");
  const facts = useMemo(() => chartFacts(data), [data]);
  if (facts.length === 0) return t("empty");
  if (facts.length === 1) return facts.map(sentence).join("");
  return facts.map((fact) => t("named", { name: fact.name, facts: sentence(fact) })).join(" ");

  function sentence({ column, count, highest, lowest, total }: ChartFacts): string {
    const amount = (value: unknown) => amountText(column, value, ways);
    if (count === 1) return t("one", { where: short(highest.where), value: amount(highest.value) });
    if (String(highest.value) === String(lowest.value)) {
      return t("same", { count, value: amount(highest.value) });
    }
    const ends = {
      ...{ highest: short(highest.where), most: amount(highest.value) },
      ...{ lowest: short(lowest.where), least: amount(lowest.value) },
    };
    return total === undefined
      ? t("some", ends)
      : t("withTotal", { ...ends, total: amount(total) });
  }
}

function short(place: string): string {
  return place.length > placeMax ? `${place.slice(0, placeMax)}…` : place;
}

interface ChartFrameProps extends Omit<PanelProps, "panel"> {
  readonly data: ChartData;
  readonly drawn: DrawnChart;
  /** The drawing; the shape of each value has its name as `data-mark`. */
  readonly children: ReactNode;
}

/**
 * Makes a drawing operable: one tab stop, arrow keys, a tooltip with every digit, and Enter or a press for the rows. The
 * active value is the one option of a listbox, so that a screen reader says it.
 */
function ChartFrame(props: ChartFrameProps) {
  const { data, drawn, ways, title, onDrill, children } = props;
  const t = useTranslations("panels");
  const id = useId();
  const drawing = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const { active, index, isShown, events } = useChartMarks(drawing, tip, props);
  const series = active === undefined ? undefined : data.series[active.series];
  const place = active === undefined ? "" : placeOf(data, active, data.series.length > 1);
  const amount = series === undefined ? "" : amountText(series.column, active?.value, ways);
  return (
    <div className="relative min-h-0" data-chart>
      <div
        ref={drawing}
        aria-hidden="true"
        lang={ways.locale}
        className="absolute inset-0 [&_[data-active]>*]:stroke-2 [&_[data-active]>*]:stroke-ink [&_[data-active]>circle]:[r:5px] print:[&_svg]:h-full print:[&_svg]:w-full"
      >
        {children}
      </div>
      <div
        role="listbox"
        tabIndex={0}
        {...events}
        aria-label={t("values", { title })}
        aria-describedby={`${id}-keys`}
        aria-activedescendant={active === undefined ? undefined : `${id}-active`}
        aria-orientation="horizontal"
        className={classes(
          "absolute inset-0 touch-pan-y rounded-control",
          onDrill !== undefined && isShown && "cursor-pointer",
        )}
      >
        {active !== undefined && (
          <div
            key={index}
            id={`${id}-active`}
            role="option"
            dir="auto"
            tabIndex={-1}
            aria-selected="true"
            aria-posinset={index + 1}
            aria-setsize={drawn.cells.length}
            className="sr-only"
          >
            {`${place}: ${amount}`}
          </div>
        )}
      </div>
      <span id={`${id}-keys`} className="sr-only">
        {t(onDrill === undefined ? "keys" : "keysDrill")}
      </span>
      <div
        ref={tip}
        dir="auto"
        aria-hidden="true"
        className={classes(
          "pointer-events-none absolute z-10 grid w-max max-w-64 gap-0.5 rounded-control border border-line-strong bg-surface px-2 py-1 text-2 print:hidden",
          !isShown && "invisible",
        )}
      >
        <bdi className="text-ink-2 wrap-anywhere">{place}</bdi>
        <span className="flex items-center gap-1.5 font-medium tabular-nums wrap-anywhere">
          {active !== undefined && (
            <span
              className="size-2.5 shrink-0 rounded-[3px]"
              style={{ background: `var(--tone-${drawn.colorOf(active)})` }}
            />
          )}
          {series !== undefined && `${series.kindText}: ${amount}`}
        </span>
      </div>
    </div>
  );
}
