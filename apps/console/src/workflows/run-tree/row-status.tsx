import { useFormatter, useTranslations } from "use-intl";
import {
  ArrowRight,
  Ban,
  Check,
  Clock,
  FlaskConical,
  LoaderCircle,
  Minus,
  X,
} from "../../ui/icons.generated.ts";
import { isDisabled } from "../model/definition.ts";
import { type Sign, toneClasses } from "../parts/sign.ts";
import type { RunSummary } from "../parts/workflow-queries.ts";
import type { RunRow } from "./run-rows.ts";
import type { LoopItem } from "./step-index.ts";

interface RowStatusProps {
  readonly row: RunRow;
  readonly run: Pick<RunSummary, "status">;
}

/** How far a row has come: its status, the branch that it has chosen, or the items of a loop. */
export function RowStatus({ row, run }: RowStatusProps) {
  const signOf = useRowSign();
  if (row.type === "step" && row.items.length > 1) return <ItemStrip items={row.items} />;
  const sign = signOf(row, run);
  if (sign === undefined) return null;
  const { icon: Icon, text, tone } = sign;
  return (
    <span className={`flex min-w-0 items-center gap-1 ${toneClasses[tone]}`}>
      <Icon size={14} aria-hidden="true" className="shrink-0" />
      <bdi className="truncate" title={text}>
        {text}
      </bdi>
    </span>
  );
}

/** Returns the function that says how far a row has come; undefined for a step that the run has yet to reach. */
export function useRowSign(): (row: RunRow, run: Pick<RunSummary, "status">) => Sign | undefined {
  const t = useTranslations("workflows.stepStatuses");
  const words = useTranslations("workflows.statuses");
  const branches = useTranslations("workflows.branches");
  const simulated = useTranslations("workflows.simulated");
  const format = useFormatter();
  const succeeded = (text: string): Sign => ({ icon: Check, text, tone: "ok" });
  const failed = (text: string): Sign => ({ icon: X, text, tone: "danger" });
  const running: Sign = { icon: LoaderCircle, text: t("STARTED"), tone: "accent" };
  const waiting = (until: string | null): Sign => {
    const text =
      until === null
        ? t("WAITING")
        : t("waitingUntil", { time: format.dateTime(new Date(until), { timeStyle: "short" }) });
    return { icon: Clock, text, tone: "plain" };
  };
  return (row, run) => {
    if (row.type === "start") return { icon: ArrowRight, text: t("accepted"), tone: "plain" };
    if (row.type === "end") {
      if (run.status === "FAILED") return failed(words("FAILED"));
      if (run.status === "SUCCEEDED") return succeeded(words("SUCCEEDED"));
      const icon = run.status === "CANCELLED" ? Ban : LoaderCircle;
      return { icon, text: words(run.status), tone: "plain" };
    }
    if (row.type === "item") {
      if (row.item.status === "FAILED") return failed(t("FAILED"));
      return row.item.status === "SUCCEEDED" ? succeeded(t("SUCCEEDED")) : running;
    }
    const { record, taken } = row;
    if (record === undefined) {
      if (isDisabled(row.step)) return { icon: Ban, text: t("disabled"), tone: "plain" };
      const isOver = !["QUEUED", "RUNNING"].includes(run.status);
      return isOver ? { icon: Minus, text: t("notReached"), tone: "plain" } : undefined;
    }
    if (record.status === "FAILED") return failed(t("FAILED"));
    if (record.status === "STARTED") return running;
    if (record.status === "WAITING") return waiting(record.resumeAt);
    const [first] = taken;
    if (record.simulated !== null && first === undefined) {
      return { icon: FlaskConical, text: simulated(record.simulated), tone: "warn" };
    }
    if (first === undefined) return succeeded(t("SUCCEEDED"));
    return succeeded(first.kind === "case" ? String(first.value) : branches(first.kind));
  };
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
