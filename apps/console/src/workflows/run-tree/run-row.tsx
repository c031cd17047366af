import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { ArrowRight, ChevronDown, ChevronRight, Flag } from "../../ui/icons.generated.ts";
import { idOf, isDisabled, kindOf } from "../model/definition.ts";
import { summaryOf } from "../model/step-summary.ts";
import { Duration } from "../parts/duration.tsx";
import { useKindName } from "../parts/kinds-query.ts";
import type { RunSummary } from "../parts/workflow-queries.ts";
import { RowStatus } from "./row-status.tsx";
import type { RunRow } from "./run-rows.ts";

interface RunRowProps {
  readonly id: string;
  readonly row: RunRow;
  readonly run: Pick<RunSummary, "status" | "origin" | "acceptedAt" | "startedAt" | "finishedAt">;
  /** The beginning and the end of all bars, in milliseconds since 1970. */
  readonly from: number;
  readonly end: number;
  readonly height: number;
  readonly isSelected: boolean;
}

/** A line of the tree of a run. */
export function RunRowView(props: RunRowProps) {
  const { id, row, run, from, end, isSelected } = props;
  const times = timesOf(row, run, end);
  const isReached = row.type !== "step" || row.record !== undefined;
  const { isOpen } = row;
  const Chevron = isOpen === true ? ChevronDown : ChevronRight;
  return (
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.level}
      aria-selected={isSelected}
      aria-expanded={isOpen}
      data-key={row.key}
      style={{ height: props.height }}
      className={classes(
        rowColumns,
        "cursor-default border-l-2 outline-none",
        isSelected ? "border-accent bg-accent-soft" : "border-transparent hover:bg-sunken",
        !isReached && "text-ink-3",
      )}
    >
      <span
        className="flex min-w-0 items-center gap-1.5"
        style={{ paddingLeft: (row.level - 1) * 18 }}
      >
        {isOpen === undefined ? (
          <RowIcon type={row.type} />
        ) : (
          <Chevron size={16} aria-hidden="true" className="shrink-0 text-ink-2" data-toggle="" />
        )}
        <RowName row={row} run={run} />
      </span>
      <span className="min-w-0 truncate">
        <RowStatus row={row} run={run} />
      </span>
      <span className={barColumn}>
        <RowBar times={times} from={from} end={end} />
      </span>
      <span className="truncate text-right font-mono text-2 tabular-nums">
        {times !== undefined && <Duration ms={times.to - times.from} />}
      </span>
    </div>
  );
}

/** In the place of the arrow that opens a row. */
function RowIcon({ type }: { readonly type: RunRow["type"] }) {
  const Icon = type === "start" ? ArrowRight : Flag;
  return (
    <span className="grid size-4 shrink-0 place-items-center text-ink-2">
      {(type === "start" || type === "end") && <Icon size={14} aria-hidden="true" />}
    </span>
  );
}

function RowName({ row, run }: Pick<RunRowProps, "row" | "run">) {
  const t = useTranslations("workflows");
  const kindName = useKindName();
  const isReached = row.type !== "step" || row.record !== undefined;
  const name = classes("shrink-0", isReached && "font-medium text-ink");
  if (row.type === "start" || row.type === "end") {
    return (
      <>
        <span className={name}>{t(row.type === "start" ? "start" : "end")}</span>
        {row.type === "start" && (
          <span className="truncate text-ink-2">{t(`origins.${run.origin}`)}</span>
        )}
      </>
    );
  }
  if (row.type === "item") {
    return <span className={name}>{t("item", { number: row.item.index })}</span>;
  }
  const { step, record, items } = row;
  const subject = summaryOf(step);
  const attempts = record?.attempt ?? 1;
  const failed = items.filter(({ status }) => status === "FAILED").length;
  return (
    <>
      <bdi className={classes(name, "max-w-[60%] truncate", isDisabled(step) && "line-through")}>
        {idOf(step)}
      </bdi>
      <span
        title={kindOf(step)}
        className={classes("truncate", isReached ? "text-ink-2" : "text-ink-3")}
      >
        {kindName(kindOf(step))}
        {subject !== "" && (
          <>
            {" · "}
            <bdi>{subject}</bdi>
          </>
        )}
        {items.length > 0 && ` · ${t("itemCounts", { count: items.length, failed })}`}
        {attempts > 1 && ` · ${t("attempts", { count: attempts })}`}
      </span>
    </>
  );
}

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
function RowBar(props: {
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

/** When a row began and ended, in milliseconds since 1970, and what the time was for. */
interface RowTimes {
  readonly from: number;
  readonly to: number;
  readonly look: "QUEUED" | "WAITING" | "RETRIED" | "RUNNING" | "SUCCEEDED" | "FAILED";
}

/**
 * Returns the time of a row. Undefined for a row without one.
 *
 * @param end the end of the run, or the present, in milliseconds since 1970
 */
function timesOf(
  row: RunRow,
  run: Pick<RunSummary, "acceptedAt" | "startedAt" | "finishedAt">,
  end: number,
): RowTimes | undefined {
  const until = (moment: string | null) => (moment === null ? end : Date.parse(moment));
  if (row.type === "start") {
    const to = until(run.startedAt ?? run.finishedAt);
    return { from: Date.parse(run.acceptedAt), to, look: "QUEUED" };
  }
  if (row.type === "end") return undefined;
  if (row.type === "item") {
    const { from, to, status } = row.item;
    const look = status === "OPEN" ? "RUNNING" : status;
    return { from: Date.parse(from), to: until(to), look };
  }
  const { record, step } = row;
  if (record === undefined) return undefined;
  const { status, attempt, startedAt, finishedAt } = record;
  const isWait = kindOf(step) === "delay" || kindOf(step) === "runWorkflow";
  const isOpen = finishedAt === null;
  const ended = status === "FAILED" ? "FAILED" : "SUCCEEDED";
  const open = status === "WAITING" ? "WAITING" : "RUNNING";
  const look =
    status !== "FAILED" && isWait && !isOpen
      ? "WAITING"
      : attempt > 1 && !isOpen && ended === "SUCCEEDED"
        ? "RETRIED"
        : isOpen
          ? open
          : ended;
  return { from: Date.parse(startedAt), to: until(finishedAt), look };
}

/** The columns of the tree of a run: step, status, bar and duration. A narrow tree has no bars. */
export const rowColumns =
  "grid grid-cols-[minmax(0,1fr)_7.5rem_4.5rem] items-center gap-x-2 px-3 @2xl:grid-cols-[minmax(0,1fr)_7.5rem_minmax(6rem,22%)_5rem] @2xl:gap-x-3 @2xl:px-4";

/** The look of a bar's column. */
export const barColumn = "hidden @2xl:block";
