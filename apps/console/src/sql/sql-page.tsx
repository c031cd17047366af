import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { findNames } from "../shell/catalog-names.ts";
import { isPressed } from "../shell/keys.ts";
import { useTitle } from "../shell/use-title.ts";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import type { SqlSelection } from "../ui/sql-editor.tsx";
import { HistoryDialog } from "./history-dialog.tsx";
import { RunReport } from "./run-report.tsx";
import { isRefusedWrite, type RunRequest, readSqlFault } from "./run-request.ts";
import { SavedDialog } from "./saved-dialog.tsx";
import { type RunLimits, SqlToolbar } from "./sql-toolbar.tsx";
import { addToHistory } from "./statement-history.ts";
import { type KeptStatements, keep, readKept } from "./statement-store.ts";
import { useRun } from "./use-run.ts";
import { WriteDialog } from "./write-dialog.tsx";

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
