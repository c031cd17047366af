import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { findNames } from "../shell/catalog-names.ts";
import { client } from "../shell/client.ts";
import { ConfirmDialog } from "../shell/confirm-task.tsx";
import { isPressed } from "../shell/keys.ts";
import { useTitle } from "../shell/use-title.ts";
import { Dialog } from "../ui/dialog.tsx";
import { StateBadge } from "../ui/entries.tsx";
import { Notice } from "../ui/notice.tsx";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import type { SqlSelection } from "../ui/sql-editor.tsx";
import { NameList } from "./name-list.tsx";
import { RunReport } from "./run-report.tsx";
import { isRefusedWrite, type RunRequest, readSqlFault } from "./run-request.ts";
import { SavedDialog, StatementButton } from "./saved-dialog.tsx";
import { type RunLimits, SqlToolbar } from "./sql-toolbar.tsx";
import { addToHistory, type PastStatement } from "./statement-history.ts";
import {
  type KeptStatements,
  keep,
  newTab,
  readKept,
  type StatementTab,
} from "./statement-store.ts";
import { StatementTabs } from "./statement-tabs.tsx";
import { useRun } from "./use-run.ts";

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
  const [target, aim] = useState<{ readonly from: number; readonly to: number }>();
  const active = kept.tabs.find(({ id }) => id === kept.active) ?? kept.tabs[0];
  const text = active?.text ?? "";
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
  const write = (written: string) => {
    change(({ tabs }) => ({
      tabs: tabs.map((tab) => (tab.id === active?.id ? { ...tab, text: written } : tab)),
    }));
    setTypedAfter(true);
  };
  const changeTabs = (tabs: readonly StatementTab[], id: number) => {
    change(() => ({ tabs, active: id }));
    if (id === active?.id) return;
    // The selection and the fault are those of another text.
    select(undefined);
    aim(undefined);
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
  const insert = (name: string) => {
    const { from, to } =
      selection === undefined ? { from: text.length, to: text.length } : selected;
    write(text.slice(0, from) + name + text.slice(to));
    aim({ from: from + name.length, to: from + name.length });
  };
  const choose = (chosen: string) => {
    // Nothing that was typed is replaced.
    const added = newTab(kept.tabs, chosen);
    if (text.trim() === "") write(chosen);
    else changeTabs([...kept.tabs, added], added.id);
    setOpen(undefined);
  };
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} text={t("text")} />
      <UntriedServer />
      <div
        className="grid gap-3"
        onKeyDownCapture={(event) => {
          if (!isPressed("Mod+Enter", event.nativeEvent)) return;
          event.preventDefault();
          event.stopPropagation();
          start(false);
        }}
      >
        <StatementTabs tabs={kept.tabs} active={active?.id} onChange={changeTabs} />
        <div className="grid gap-3 md:grid-cols-[minmax(0,1fr)_14rem]">
          <div className="-m-0.5 h-56 min-h-24 resize-y overflow-hidden p-0.5">
            <Suspense fallback={<Skeleton label={words("loading")} rows={6} />}>
              <SqlEditor
                // Each text has an undo of its own.
                key={active?.id}
                label={t("editor")}
                text={text}
                onChange={write}
                onSelect={select}
                faults={faults}
                target={target}
                findNames={(typed) => findNames(queries, typed)}
              />
            </Suspense>
          </div>
          <NameList onInsert={insert} />
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

/** Tells that Rowhouse is not tested on this version of PostgreSQL. */
function UntriedServer() {
  const t = useTranslations("manage.untriedServer");
  const { data } = useQuery({
    queryKey: ["database-server"],
    queryFn: async ({ signal }) => (await client.admin.get("/database-server", { signal })).data,
  });
  if (data === undefined || data.isTested) return null;
  const { version, testedFrom, testedTo } = data;
  return (
    <Notice kind="info">
      {t("title", { version })}. {t("text", { testedFrom, testedTo })}
    </Notice>
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
