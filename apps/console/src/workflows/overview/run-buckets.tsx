import { useId } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { Select } from "../../ui/select.tsx";
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
  const most = Math.max(1, ...sums);
  const all = sums.reduce((sum, one) => sum + one, 0);
  const failed = buckets.reduce((sum, bucket) => sum + bucket.failed, 0);
  const height = (count: number) => ({ height: `${(count / most) * 100}%` });
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
      <ol className="flex h-24 items-end gap-px">
        {buckets.map(({ at, succeeded, failed: bad, cancelled }, index) => {
          const time = format.dateTime(new Date(at), {
            ...(hours > 24 ? { dateStyle: "short" } : {}),
            timeStyle: "short",
          });
          const text = t("bucket", { time, all: sums[index] ?? 0, failed: bad });
          return (
            <li
              key={at}
              title={text}
              className="flex h-full min-w-0 flex-1 flex-col justify-end border-line border-b"
            >
              <span className="sr-only">{text}</span>
              <span className="bg-danger" style={height(bad)} />
              <span className="bg-line-strong" style={height(cancelled)} />
              <span className="bg-ok" style={height(succeeded)} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}
