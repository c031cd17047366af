import { useTranslations } from "use-intl";
import { PlanView } from "./plan/plan-view.tsx";
import { readPlan } from "./plan/read-plan.ts";
import { ResultList } from "./results/result-list.tsx";
import { RunFailure } from "./run-failure.tsx";
import type { SqlFault } from "./run-request.ts";
import type { Runner } from "./use-run.ts";

interface RunReportProps {
  readonly runner: Runner;
  readonly fault: SqlFault | undefined;
  /** Whether a dialog asks what the run would do. */
  readonly isAsked: boolean;
}

/** Below the toolbar: a run in progress, its results or plan, or why it failed. */
export function RunReport({ runner, fault, isAsked }: RunReportProps) {
  const t = useTranslations("sql");
  const { isRunning, isCancelling, outcome } = runner;
  if (isRunning) {
    return (
      <p role="status" className="text-ink-2">
        {t(isCancelling ? "cancelling" : "running")}
      </p>
    );
  }
  if (outcome === undefined) return <p className="text-ink-2">{t("start")}</p>;
  if (outcome.kind === "failed") {
    return isAsked ? null : <RunFailure error={outcome.error} fault={fault} />;
  }
  const { answer, request } = outcome;
  const plan = request.isExplain ? readPlan(answer.results[0]) : undefined;
  return plan === undefined ? (
    <ResultList key={answer.id} answer={answer} isWrite={!request.readOnly} />
  ) : (
    <PlanView root={plan} />
  );
}
