import { RowhouseError } from "@rowhouse/client";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { findNames } from "../shell/catalog-names.ts";
import { ConfirmDialog } from "../shell/confirm-task.tsx";
import { useFailureText } from "../shell/failure-text.ts";
import { isPressed } from "../shell/keys.ts";
import { useTitle } from "../shell/use-title.ts";
import { Dialog } from "../ui/dialog.tsx";
import { StateBadge } from "../ui/entries.tsx";
import { Notice } from "../ui/notice.tsx";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import type { SqlSelection } from "../ui/sql-editor.tsx";
import { PlanView } from "./plan/plan-view.tsx";
import { readPlan } from "./plan/read-plan.ts";
import { ResultList } from "./results/result-list.tsx";
import { isRefusedWrite, type RunRequest, readSqlFault, type SqlFault } from "./run-request.ts";
import { SavedDialog, StatementButton } from "./saved-dialog.tsx";
import { type RunLimits, SqlToolbar } from "./sql-toolbar.tsx";
import { addToHistory, type PastStatement } from "./statement-history.ts";
import { type KeptStatements, keep, readKept } from "./statement-store.ts";
import { type Runner, useRun } from "./use-run.ts";

const SqlEditor = lazy(() =>
  import("../ui/sql-editor.tsx").then((module) => ({ default: module.SqlEditor })),
);

/** The SQL console: an editor, its results, plans, and the statements that this browser keeps. */
export function SqlPage() {
  const t = useTranslations("sql");
  const words = useTranslations("manage");
  useTitle(t("title"));
  const [kept, setKept] = useState(readKept);
  const change = (next: (last: KeptStatements) => Partial<KeptStatements>) =>
    setKept((last) => keep(last, next(last)));
  const [selection, select] = useState<SqlSelection>();
  const [limits, setLimits] = useState<RunLimits>({ rows: "", time: "" });
  const [open, setOpen] = useState<"history" | "saved">();
  const [asking, ask] = useState<{ readonly request: RunRequest; readonly reason: string }>();
  const text = kept.draft;
  const queries = useQueryClient();
  const runner = useRun((outcome) => {
    const { request } = outcome;
    const fault = outcome.kind === "failed" ? readSqlFault(outcome.error, request) : undefined;
    if (fault !== undefined && request.readOnly && isRefusedWrite(fault)) {
      ask({ request, reason: fault.message });
      return;
    }
    const entry = {
      ...{ text: request.text.trim(), at: new Date().toISOString() },
      hasFailed: outcome.kind === "failed",
    };
    change(({ history }) => ({ history: addToHistory(history, entry) }));
  });
  const { outcome } = runner;
  const fault = useMemo(
    () => (outcome?.kind === "failed" ? readSqlFault(outcome.error, outcome.request) : undefined),
    [outcome],
  );
  const isAsked = asking !== undefined && outcome?.request === asking.request;
  const [typedAfter, setTypedAfter] = useState(false);
  const place = isAsked || typedAfter ? undefined : fault?.place;
  const faults = useMemo(() => (place === undefined ? [] : [place]), [place]);
  const write = (draft: string) => {
    change(() => ({ draft }));
    setTypedAfter(true);
  };
  const selected = selection?.selected ?? { from: 0, to: 0 };
  const hasSelection = selected.to > selected.from && selected.to <= text.length;
  const start = (isExplain: boolean) => {
    const whole = isExplain ? (selection?.statement ?? { from: 0, to: text.length }) : undefined;
    const { from, to } = hasSelection ? selected : (whole ?? { from: 0, to: text.length });
    const part = text.slice(from, to);
    if (part.trim() === "") return;
    setTypedAfter(false);
    runner.start({
      ...{ text: part, from, isExplain, readOnly: true },
      rowsMax: limits.rows === "" ? undefined : Number(limits.rows),
      timeoutMs: limits.time === "" ? undefined : Number(limits.time),
    });
  };
  const choose = (chosen: string) => {
    write(chosen);
    setOpen(undefined);
  };
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} text={t("text")} />
      <div
        className="grid gap-3"
        onKeyDownCapture={(event) => {
          if (!isPressed("Mod+Enter", event.nativeEvent)) return;
          event.preventDefault();
          event.stopPropagation();
          start(false);
        }}
      >
        <div className="-m-0.5 h-56 min-h-24 resize-y overflow-hidden p-0.5">
          <Suspense fallback={<Skeleton label={words("loading")} rows={6} />}>
            <SqlEditor
              label={t("editor")}
              text={text}
              onChange={write}
              onSelect={select}
              faults={faults}
              findNames={(typed) => findNames(queries, typed)}
            />
          </Suspense>
        </div>
        <SqlToolbar
          {...{ runner, hasSelection, limits }}
          onLimits={setLimits}
          onRun={() => start(false)}
          onExplain={() => start(true)}
          onHistory={() => setOpen("history")}
          onSaved={() => setOpen("saved")}
        />
      </div>
      <RunReport runner={runner} fault={fault} isAsked={isAsked} />
      {asking !== undefined && (
        <WriteDialog
          {...asking}
          onClose={() => ask(undefined)}
          onRun={() => {
            ask(undefined);
            runner.start({ ...asking.request, readOnly: false });
          }}
        />
      )}
      {open === "history" && (
        <HistoryDialog
          history={kept.history}
          onChoose={choose}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === "saved" && (
        <SavedDialog
          text={text}
          saved={kept.saved}
          onChange={(saved) => change(() => ({ saved }))}
          onChoose={choose}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  );
}

interface HistoryDialogProps {
  readonly history: readonly PastStatement[];
  readonly onChoose: (text: string) => void;
  readonly onClose: () => void;
}

/** The statements that a person has run in this browser, the latest first. */
function HistoryDialog({ history, onChoose, onClose }: HistoryDialogProps) {
  const t = useTranslations("sql");
  const words = useTranslations("manage");
  const format = useFormatter();
  return (
    <Dialog title={t("history")} closeLabel={words("close")} onClose={onClose} isWide>
      <p className="text-ink-2">{t(history.length === 0 ? "noHistory" : "historyText")}</p>
      <ul className="grid gap-2">
        {history.map(({ text, at, hasFailed }) => (
          <li key={text} className="grid gap-1">
            <StatementButton text={text} onChoose={onChoose} />
            <span className="flex items-center gap-2 text-2 text-ink-2">
              {format.dateTime(new Date(at), { dateStyle: "medium", timeStyle: "medium" })}
              {hasFailed && <StateBadge look="warn">{t("hasFailed")}</StateBadge>}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

interface RunReportProps {
  readonly runner: Runner;
  readonly fault: SqlFault | undefined;
  /** Whether a dialog asks what the run would do. */
  readonly isAsked: boolean;
}

/** Below the toolbar: a run in progress, its results or plan, or why it failed. */
function RunReport({ runner, fault, isAsked }: RunReportProps) {
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

interface WriteDialogProps {
  readonly request: RunRequest;
  /** PostgreSQL's words for the statement that it has refused to run read-only. */
  readonly reason: string;
  readonly onRun: () => void;
  readonly onClose: () => void;
}

/** Asks before statements that change something run. */
function WriteDialog({ request, reason, onRun, onClose }: WriteDialogProps) {
  const t = useTranslations("sql.write");
  return (
    <ConfirmDialog
      title={t("title")}
      confirm={t("run")}
      cancel={t("cancel")}
      failure={undefined}
      isBusy={false}
      onConfirm={onRun}
      onClose={onClose}
    >
      <div className="grid gap-3">
        <p>{t("text")}</p>
        <p className="text-2">{t("reason", { reason })}</p>
        <pre
          dir="auto"
          className="max-h-48 overflow-auto rounded-control bg-sunken p-2 font-mono text-2 text-ink wrap-anywhere whitespace-pre-wrap"
        >
          {request.text.trim()}
        </pre>
      </div>
    </ConfirmDialog>
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
