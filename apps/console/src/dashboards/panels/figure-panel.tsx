import { useTranslations } from "use-intl";
import { isDecimal } from "../../records/values/decimal.ts";
import { classes } from "../../ui/classes.ts";
import { ArrowDown, ArrowRight, ArrowUp } from "../../ui/icons.generated.ts";
import { figureChange } from "../model/figure-change.ts";
import { figureColumn } from "../model/panel-columns.ts";
import { amountText } from "../model/panel-ways.ts";
import type { PanelProps } from "./panel-props.tsx";

const icons = { UP: ArrowUp, DOWN: ArrowDown, SAME: ArrowRight } as const;

/** The size of a letter times the number of letters, in percent of the width. */
const widthShare = 160;

/** One figure, how it differs from the period before, and its course. */
export function FigurePanel({ panel, ways, title, onDrill }: PanelProps) {
  const t = useTranslations("panels.figure");
  const column = figureColumn(panel);
  const { figure, sparkline, presentation } = panel;
  const value = figure?.value ?? panel.rows?.[0]?.[panel.terms?.aggregates[0]?.name ?? ""] ?? null;
  const text = amountText(column, value, ways);
  const ink = presentation.color === undefined ? undefined : `var(--tone-${presentation.color})`;
  const look = "max-w-full truncate text-left leading-9 font-semibold tabular-nums";
  // As large as the width of the panel allows.
  const style = { color: ink, fontSize: `max(14px, min(28px, ${widthShare / text.length}cqi))` };
  return (
    <div className="@container grid h-full grid-rows-[auto_auto_minmax(0,1fr)] content-start gap-1">
      {onDrill === undefined ? (
        <p className={look} style={style} title={text}>
          <bdi>{text}</bdi>
        </p>
      ) : (
        <button
          type="button"
          aria-label={t("open", { title, value: text })}
          title={text}
          onClick={() => onDrill({})}
          className={`${look} justify-self-start underline-offset-4 hover:underline`}
          style={style}
        >
          <bdi>{text}</bdi>
        </button>
      )}
      <Change {...{ panel, ways }} value={value} />
      {sparkline !== undefined && sparkline.length > 1 && (
        <Course {...{ panel, ways }} color={ink ?? "var(--tone-blue)"} />
      )}
    </div>
  );
}

/** The direction in words; the color only repeats whether it is a good one. */
function Change(props: Pick<PanelProps, "panel" | "ways"> & { readonly value: unknown }) {
  const t = useTranslations("panels.figure");
  const { panel, ways, value } = props;
  const previous = panel.figure?.previous;
  if (panel.figure === undefined || previous === undefined || previous === null) return <span />;
  const column = figureColumn(panel);
  const change = figureChange(value, previous);
  const { goodWhen } = panel.presentation;
  const Icon = icons[change?.direction ?? "SAME"];
  const isGood = goodWhen === undefined ? undefined : change?.direction === goodWhen;
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-2 text-ink-2">
      {change !== undefined && (
        <span
          className={classes(
            "flex items-center gap-1 font-medium",
            change.direction !== "SAME" &&
              isGood !== undefined &&
              (isGood ? "text-ok" : "text-danger"),
          )}
        >
          <Icon size={14} aria-hidden="true" />
          {words(change)}
          {change.direction !== "SAME" &&
            isGood !== undefined &&
            ` – ${t(isGood ? "good" : "bad")}`}
        </span>
      )}
      <span>{t("previous", { value: amountText(column, previous, ways) })}</span>
    </p>
  );

  function words({ direction, amount, part }: NonNullable<ReturnType<typeof figureChange>>) {
    if (direction === "SAME") return t("same");
    const shown = amountText(column, amount, ways);
    const isUp = direction === "UP";
    return part === undefined
      ? t(isUp ? "up" : "down", { amount: shown })
      : t(isUp ? "upPart" : "downPart", { amount: shown, part });
  }
}

function Course(props: Pick<PanelProps, "panel" | "ways"> & { readonly color: string }) {
  const t = useTranslations("panels.figure");
  const { panel, ways, color } = props;
  const column = figureColumn(panel);
  const raw = (panel.sparkline ?? []).map(({ value }) => value);
  const values = raw.map((value) =>
    value !== null && isDecimal(String(value)) ? Number(value) : null,
  );
  const known = raw.filter((_, index) => values[index] !== null);
  if (known.length === 0) return <span />;
  const sorted = [...known].sort((one, other) => Number(one) - Number(other));
  const show = (value: unknown) => amountText(column, value, ways);
  const text = t("sparkline", {
    ...{ first: show(known[0]), last: show(known.at(-1)) },
    ...{ least: show(sorted[0]), most: show(sorted.at(-1)) },
  });
  return <Sparkline values={values} text={text} color={color} />;
}

interface SparklineProps {
  readonly values: readonly (number | null)[];
  /** What the line shows, in words. */
  readonly text: string;
  readonly color: string;
}

const width = 100;
const height = 28;

/** A small line without axes. Gaps are where values are missing. */
function Sparkline({ values, text, color }: SparklineProps) {
  const known = values.filter((value) => value !== null);
  const most = Math.max(...known);
  const least = Math.min(0, ...known);
  const span = most - least || 1;
  const parts: string[] = [];
  let isOpen = false;
  for (const [index, value] of values.entries()) {
    if (value !== null) {
      const x = values.length < 2 ? width / 2 : (index / (values.length - 1)) * width;
      const y = height - 1 - ((value - least) / span) * (height - 2);
      parts.push(`${isOpen ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`);
    }
    isOpen = value !== null;
  }
  return (
    <svg
      role="img"
      aria-label={text}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="h-full max-h-16 min-h-0 w-full"
    >
      <path
        d={parts.join("")}
        fill="none"
        stroke={color}
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
