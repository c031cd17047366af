import { useId } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { StackedBars } from "../ui/stacked-bars.tsx";
import { dayMs, type Run } from "./overview-query.ts";

const hours = 24;
const hourMs = dayMs / hours;

interface RunChartProps {
  readonly runs: readonly Run[];
  readonly readAt: number;
}

/** The runs of the last day by the hour, and how many of them failed. */
export function RunChart({ runs, readAt }: RunChartProps) {
  const t = useTranslations("overview");
  const format = useFormatter();
  const id = useId();
  const bars = Array.from({ length: hours }, (_, index) => ({
    from: readAt - (hours - index) * hourMs,
    all: 0,
    failed: 0,
  }));
  for (const { acceptedAt, status } of runs) {
    const bar = bars[Math.floor((Date.parse(acceptedAt) - readAt + dayMs) / hourMs)];
    if (bar === undefined) continue;
    bar.all += 1;
    if (status === "FAILED") bar.failed += 1;
  }
  const failed = bars.reduce((sum, bar) => sum + bar.failed, 0);
  return (
    <section
      aria-labelledby={id}
      className="grid content-start gap-3 rounded-panel border border-line bg-surface p-4"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={id} className="font-semibold text-4">
          {t("runs")}
        </h2>
        <p className="text-ink-2">{t("runCounts", { all: runs.length, failed })}</p>
      </div>
      {runs.length > 0 && (
        <StackedBars
          className="h-20 gap-0.5"
          bars={bars.map(({ from, all, failed: bad }) => {
            const hour = format.dateTime(new Date(from), { hour: "numeric", minute: "numeric" });
            return {
              key: from,
              text: t("hour", { hour, all, failed: bad }),
              parts: [
                { count: bad, className: "bg-danger" },
                { count: all - bad, className: "bg-accent" },
              ],
            };
          })}
        />
      )}
    </section>
  );
}
