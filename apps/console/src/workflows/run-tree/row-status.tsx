import type { ReactNode } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { Ban, Check, Clock, FlaskConical, LoaderCircle, X } from "../../ui/icons.generated.ts";
import type { RunSummary } from "../parts/workflow-queries.ts";
import { ItemStrip } from "./item-strip.tsx";
import type { RunStep } from "./run-queries.ts";
import type { RunRow, Taken } from "./run-rows.ts";

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
