import { useId } from "react";
import { useFormatter, useTranslations } from "use-intl";
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
  const most = Math.max(1, ...bars.map(({ all }) => all));
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
        <ol className="flex h-20 items-end gap-0.5">
          {bars.map(({ from, all, failed: bad }) => {
            const hour = format.dateTime(new Date(from), { hour: "numeric", minute: "numeric" });
            return (
              <li
                key={from}
                title={t("hour", { hour, all, failed: bad })}
                className="flex h-full min-w-0 flex-1 flex-col justify-end border-line border-b"
              >
                <span className="sr-only">{t("hour", { hour, all, failed: bad })}</span>
                <span className="bg-danger" style={{ height: `${(bad / most) * 100}%` }} />
                <span className="bg-accent" style={{ height: `${((all - bad) / most) * 100}%` }} />
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}
