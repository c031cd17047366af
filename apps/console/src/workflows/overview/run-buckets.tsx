import { useId } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { Select } from "../../ui/select.tsx";
import { StackedBars } from "../../ui/stacked-bars.tsx";
import { type Overview, periods } from "./overview-query.ts";

interface RunBucketsProps {
  readonly overview: Overview;
  /** The shown period. */
  readonly hours: number;
  readonly onChange: (hours: number) => void;
}

/** The ended runs of all workflows over time, and how many of them failed. */
export function RunBuckets({ overview, hours, onChange }: RunBucketsProps) {
  const t = useTranslations("workflows.overview");
  const format = useFormatter();
  const id = useId();
  const { buckets } = overview;
  const sums = buckets.map(({ succeeded, failed, cancelled }) => succeeded + failed + cancelled);
  const all = sums.reduce((sum, one) => sum + one, 0);
  const failed = buckets.reduce((sum, bucket) => sum + bucket.failed, 0);
  return (
    <section
      aria-labelledby={id}
      className="grid content-start gap-3 rounded-panel border border-line bg-surface p-4"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={id} className="font-semibold text-4">
          {t("runs")}
        </h2>
        <p className="flex-1 text-ink-2">{t("counts", { all, failed })}</p>
        <Select
          label={t("period")}
          value={String(hours)}
          options={periods.map((one) => ({ value: String(one), label: t(`hours${one}`) }))}
          onChange={(value) => onChange(Number(value))}
        />
      </div>
      <StackedBars
        className="h-24 gap-px"
        bars={buckets.map(({ at, succeeded, failed: bad, cancelled }, index) => {
          const time = format.dateTime(new Date(at), {
            ...(hours > 24 ? { dateStyle: "short" } : {}),
            timeStyle: "short",
          });
          return {
            key: at,
            text: t("bucket", { time, all: sums[index] ?? 0, failed: bad }),
            parts: [
              { count: bad, className: "bg-danger" },
              { count: cancelled, className: "bg-line-strong" },
              { count: succeeded, className: "bg-ok" },
            ],
          };
        })}
      />
    </section>
  );
}
