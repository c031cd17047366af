import { useFormatter, useTranslations } from "use-intl";
import { ProgressBar } from "../../ui/progress-bar.tsx";

/** How much of a file is sent, and then what the service does with its rows. */
export function ImportProgress(props: {
  /** From 0 to 1, when all of it is sent. */
  readonly part: number;
  /** Whether the rows are checked only. */
  readonly isCheck: boolean;
}) {
  const t = useTranslations("transfer");
  const format = useFormatter();
  const { part, isCheck } = props;
  const label = t(part < 1 ? "uploading" : isCheck ? "checking" : "writing");
  return (
    <div className="grid gap-2">
      <p role="status">{label}</p>
      <ProgressBar label={label} part={part < 1 ? part : undefined} />
      <p className="text-2 text-ink-2 tabular-nums">{format.number(part, { style: "percent" })}</p>
    </div>
  );
}
