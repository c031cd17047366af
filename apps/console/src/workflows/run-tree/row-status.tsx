import type { ReactNode } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { Ban, Check, Clock, FlaskConical, LoaderCircle, X } from "../../ui/icons.generated.ts";
import type { RunSummary } from "../parts/workflow-queries.ts";
import type { RunStep } from "./run-queries.ts";
import type { RunRow, Taken } from "./run-rows.ts";
import type { LoopItem } from "./step-index.ts";

interface RowStatusProps {
  readonly row: RunRow;
  readonly run: Pick<RunSummary, "status">;
}

/** How far a row has come: its status, the branch that it has chosen, or the items of a loop. */
export function RowStatus({ row, run }: RowStatusProps) {
  const t = useTranslations("workflows.stepStatuses");
  const words = useTranslations("workflows.statuses");
  if (row.type === "start") return <span className="text-ink-2">{t("accepted")}</span>;
  if (row.type === "end") {
    if (run.status === "FAILED") return <Failed>{words("FAILED")}</Failed>;
    if (run.status === "SUCCEEDED") return <Succeeded>{words("SUCCEEDED")}</Succeeded>;
    const Icon = run.status === "CANCELLED" ? Ban : LoaderCircle;
    return <Mark icon={Icon} className="text-ink-2" text={words(run.status)} />;
  }
  if (row.type === "item") {
    if (row.item.status === "FAILED") return <Failed>{t("FAILED")}</Failed>;
    if (row.item.status === "SUCCEEDED") return <Succeeded>{t("SUCCEEDED")}</Succeeded>;
    return <Mark icon={LoaderCircle} className="text-accent" text={t("STARTED")} />;
  }
  const { record, items, taken } = row;
  if (items.length > 1) return <ItemStrip items={items} />;
  if (record === undefined) {
    const isOver = !["QUEUED", "RUNNING"].includes(run.status);
    return isOver ? <span>{t("notReached")}</span> : null;
  }
  if (record.status === "FAILED") return <Failed>{t("FAILED")}</Failed>;
  if (record.status === "STARTED") {
    return <Mark icon={LoaderCircle} className="text-accent" text={t("STARTED")} />;
  }
  if (record.status === "WAITING") return <Waiting until={record.resumeAt} />;
  const [first] = taken;
  if (record.simulated !== null && first === undefined) {
    const text = <Simulated kind={record.simulated} />;
    return <Mark icon={FlaskConical} className="text-warn" text={text} />;
  }
  return (
    <Succeeded>{first === undefined ? t("SUCCEEDED") : <TakenName taken={first} />}</Succeeded>
  );
}

function Simulated({ kind }: { readonly kind: NonNullable<RunStep["simulated"]> }) {
  return useTranslations("workflows.simulated")(kind);
}

function TakenName({ taken }: { readonly taken: Taken }) {
  const t = useTranslations("workflows.branches");
  if (taken.kind === "case") return <bdi>{String(taken.value)}</bdi>;
  return t(taken.kind);
}

function Waiting({ until }: { readonly until: string | null }) {
  const t = useTranslations("workflows.stepStatuses");
  const format = useFormatter();
  const text =
    until === null
      ? t("WAITING")
      : t("waitingUntil", {
          time: format.dateTime(new Date(until), { timeStyle: "short" }),
        });
  return <Mark icon={Clock} className="text-ink-2" text={text} />;
}

function Failed({ children }: { readonly children: ReactNode }) {
  return <Mark icon={X} className="text-danger" text={children} />;
}

function Succeeded({ children }: { readonly children: ReactNode }) {
  return <Mark icon={Check} className="text-ok" text={children} />;
}

function Mark(props: {
  readonly icon: typeof Check;
  readonly className: string;
  readonly text: ReactNode;
}) {
  const { icon: Icon, className, text } = props;
  return (
    <span className={`flex min-w-0 items-center gap-1 ${className}`}>
      <Icon size={14} aria-hidden="true" className="shrink-0" />
      <span className="truncate">{text}</span>
    </span>
  );
}

/** A strip has at most this many marks; the failed items come first. */
const marksMax = 10;

const looks: Readonly<Record<LoopItem["status"], string>> = {
  FAILED: "bg-danger",
  OPEN: "bg-accent",
  SUCCEEDED: "bg-ok",
};

/** The items of a loop as marks, the failed ones first. */
function ItemStrip({ items }: { readonly items: readonly LoopItem[] }) {
  const t = useTranslations("workflows");
  const failed = items.filter(({ status }) => status === "FAILED").length;
  const text = t("itemCounts", { count: items.length, failed });
  return (
    <span title={text} className="flex gap-0.5">
      <span className="sr-only">{text}</span>
      {marksOf(items).map((status, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a mark is its position
        <span key={at} aria-hidden="true" className={`h-3.5 w-2 rounded-[2px] ${looks[status]}`} />
      ))}
    </span>
  );
}

/** One mark for each item, or for a share of many: at least one for each status that occurs. */
function marksOf(items: readonly LoopItem[]): readonly LoopItem["status"][] {
  if (items.length <= marksMax) return items.map(({ status }) => status);
  const count = (status: LoopItem["status"]) =>
    items.filter((item) => item.status === status).length;
  const share = (status: LoopItem["status"]) =>
    count(status) === 0 ? 0 : Math.max(1, Math.round((count(status) / items.length) * marksMax));
  const [failed, open] = [share("FAILED"), share("OPEN")];
  return Array.from({ length: marksMax }, (_, at) =>
    at < failed ? "FAILED" : at < failed + open ? "OPEN" : "SUCCEEDED",
  );
}
