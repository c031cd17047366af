import { RowhouseError } from "@rowhouse/client";
import { useTranslations } from "use-intl";
import { useFailureText } from "../shell/failure-text.ts";
import { Notice } from "../ui/notice.tsx";
import { PlanView } from "./plan/plan-view.tsx";
import { readPlan } from "./plan/read-plan.ts";
import { ResultList } from "./results/result-list.tsx";
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

const own = ["SESSION_REQUIRED", "SQL_CANCELLED", "QUERY_TIMEOUT"] as const;

/** Why a run has failed. A fault of a statement has PostgreSQL's words, with the number of the statement. */
function RunFailure(props: { readonly error: unknown; readonly fault: SqlFault | undefined }) {
  const t = useTranslations("sql");
  const describe = useFailureText();
  const { error, fault } = props;
  if (fault === undefined) {
    if (error instanceof DOMException) {
      return <Notice kind="info">{t("failure.SQL_CANCELLED")}</Notice>;
    }
    const code = error instanceof RowhouseError ? error.code : undefined;
    const known = own.find((one) => one === code);
    if (known === "SQL_CANCELLED") return <Notice kind="info">{t(`failure.${known}`)}</Notice>;
    if (known !== undefined) return <Notice kind="danger">{t(`failure.${known}`)}</Notice>;
    // An administrator can mend why the console is not available.
    const isReason = error instanceof RowhouseError && code === "SERVICE_UNAVAILABLE";
    return <Notice kind="danger">{isReason ? error.message : describe(error)}</Notice>;
  }
  const facts = [
    { name: t("detail"), text: fault.detail },
    { name: t("hint"), text: fault.hint },
    { name: "SQLSTATE", text: fault.sqlState },
  ];
  return (
    <Notice kind="danger">
      <p className="font-medium">
        {fault.statement === undefined
          ? fault.message
          : t("failedStatement", { number: fault.statement, message: fault.message })}
      </p>
      {facts.map(
        ({ name, text }) =>
          text !== undefined && (
            <p key={name} lang="en">
              {name}: {text}
            </p>
          ),
      )}
      <p>{t("rolledBack")}</p>
    </Notice>
  );
}
