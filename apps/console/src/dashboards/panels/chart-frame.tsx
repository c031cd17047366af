import { type ReactNode, useId, useRef } from "react";
import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import type { ChartData } from "../model/chart-data.ts";
import { placeOf } from "../model/chart-facts.ts";
import type { DrawnChart } from "../model/drawn-chart.ts";
import { amountText } from "../model/panel-ways.ts";
import type { PanelProps } from "./panel-props.ts";
import { useChartMarks } from "./use-chart-marks.ts";

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
export function ChartFrame(props: ChartFrameProps) {
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
