import { classes } from "../../ui/classes.ts";
import type { RowTimes } from "./row-times.ts";

const looks: Readonly<Record<RowTimes["look"], string>> = {
  QUEUED: "bg-ink-3",
  WAITING: "bg-line-strong",
  // The journal has the time of all attempts together: attempts that failed and pauses, then the last one.
  RETRIED: "bg-linear-to-r from-danger/45 via-line-strong via-60% to-ok",
  RUNNING: "animate-pulse bg-accent motion-reduce:animate-none",
  SUCCEEDED: "bg-ok",
  FAILED: "bg-danger",
};

/** The time of a row within that of its run. */
export function RowBar(props: {
  readonly times: RowTimes | undefined;
  readonly from: number;
  readonly end: number;
}) {
  const { times, from, end } = props;
  if (times === undefined) return null;
  const whole = Math.max(1, end - from);
  const left = Math.min(100, Math.max(0, ((times.from - from) / whole) * 100));
  const width = Math.min(100 - left, Math.max(0, ((times.to - times.from) / whole) * 100));
  return (
    <span aria-hidden="true" className="relative block h-2">
      <span
        className={classes("absolute top-0 h-2 min-w-0.75 rounded-[3px]", looks[times.look])}
        style={{ left: `min(${left}%, calc(100% - 3px))`, width: `${width}%` }}
      />
    </span>
  );
}
