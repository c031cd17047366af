import { RowhouseError } from "@rowhouse/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink, useOpen } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { Moment } from "../../shell/moment.tsx";
import { renew } from "../../shell/renew.ts";
import { useTask } from "../../shell/use-task.ts";
import { linkClasses } from "../../ui/classes.ts";
import { StateBadge } from "../../ui/entries.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { Duration, msBetween } from "../parts/duration.tsx";
import { RunStatus } from "../parts/state-badges.tsx";
import { runPath, workflowPath } from "../parts/workflow-paths.ts";
import { type Run, runQuery } from "../run-tree/run-queries.ts";
import { SaveSampleDialog } from "../test/save-sample-dialog.tsx";

interface RunHeadProps {
  readonly run: Run;
  /** Path of the chosen step, from which the run can be repeated. */
  readonly from: string | undefined;
}

/** The head of a run: which one it is, how it went, and what can be done with it. */
export function RunHead({ run, from }: RunHeadProps) {
  const t = useTranslations("workflows");
  const cache = useQueryClient();
  const path = { id: run.workflowId, runId: run.id };
  const cancelling = useTask(async () => {
    const { data } = await client.admin.post("/workflows/{id}/runs/{runId}/cancel", { path });
    cache.setQueryData(runQuery(path).queryKey, data);
    await renew(cache, { queryKey: ["workflow-run-outline", run.id] });
  }, []);
  const [dialog, setDialog] = useState<"again" | "from" | "sample">();
  const close = () => setDialog(undefined);
  const ms = msBetween(run.startedAt, run.finishedAt);
  const failure = cancelling.failure;
  const isOver = run.finishedAt !== null;
  return (
    <div className="grid gap-2 px-4 py-2.5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 lg:flex-nowrap">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 lg:min-h-7">
          <h1 className="flex min-w-0 flex-wrap items-center gap-x-1.5">
            <Trail run={run} />
            <code className="font-mono font-semibold" title={run.id}>
              {run.id.slice(0, 8)}
            </code>
          </h1>
          <RunStatus status={run.status} />
          {run.test?.effects === "NONE" && <StateBadge look="warn">{t("harmless")}</StateBadge>}
          <p className="flex flex-wrap gap-x-1.5 text-ink-2">
            <span>
              {run.versionNumber === null
                ? t("draftVersion")
                : t("versionNumber", { number: run.versionNumber })}
            </span>
            <span aria-hidden="true">·</span>
            <span>{t(`origins.${run.origin}`)}</span>
            <span aria-hidden="true">·</span>
            <span>
              {t("as")} <bdi>{run.executeAsName}</bdi>
            </span>
            <span aria-hidden="true">·</span>
            <Moment at={run.acceptedAt} />
            {isOver && ms !== undefined && (
              <>
                <span aria-hidden="true">·</span>
                <Duration ms={ms} />
              </>
            )}
          </p>
        </div>
        <div className="flex flex-wrap gap-2 lg:shrink-0">
          <ToolButton onClick={() => setDialog("sample")}>{t("saveSample")}</ToolButton>
          {isOver ? (
            <>
              <ToolButton onClick={() => setDialog("again")}>{t("again")}</ToolButton>
              {from !== undefined && (
                <ToolButton kind="primary" onClick={() => setDialog("from")}>
                  {t("againFrom")}
                </ToolButton>
              )}
            </>
          ) : (
            <ToolButton
              kind="danger"
              disabled={run.cancelRequestedAt !== null}
              onClick={cancelling.run}
            >
              {t(run.cancelRequestedAt === null ? "cancelRun" : "cancelRequested")}
            </ToolButton>
          )}
        </div>
      </div>
      {failure !== undefined && <Notice kind="danger">{failure}</Notice>}
      {(dialog === "again" || dialog === "from") && (
        <AgainDialog run={run} from={dialog === "from" ? from : undefined} onClose={close} />
      )}
      {dialog === "sample" && (
        <SaveSampleDialog workflowId={run.workflowId} source={{ run: run.id }} onClose={close} />
      )}
    </div>
  );
}

function Trail({ run }: { readonly run: Run }) {
  const t = useTranslations("workflows");
  const slash = (
    <span aria-hidden="true" className="text-ink-2">
      /
    </span>
  );
  return (
    <>
      <AppLink href="/admin/workflows" className={linkClasses}>
        {t("title")}
      </AppLink>
      {slash}
      <AppLink href={workflowPath(run.workflowId)} className={`${linkClasses} wrap-anywhere`}>
        <bdi>{run.workflowSlug}</bdi>
      </AppLink>
      {slash}
      <AppLink href={workflowPath(run.workflowId, "runs")} className={linkClasses}>
        {t("runs")}
      </AppLink>
      {slash}
    </>
  );
}

interface AgainDialogProps {
  readonly run: Run;
  /** Path of the step at which the new run begins; undefined for its first one. */
  readonly from: string | undefined;
  readonly onClose: () => void;
}

/** Repeats a run, from its beginning or from a step, with its own version or the newest one. */
function AgainDialog({ run, from, onClose }: AgainDialogProps) {
  const t = useTranslations("workflows.repeat");
  const open = useOpen();
  const cache = useQueryClient();
  const [version, setVersion] = useState<"SAME" | "NEWEST">("SAME");
  const [reasons, setReasons] = useState<readonly string[]>([]);
  const task = useTask(async () => {
    setReasons([]);
    try {
      const { data } = await client.admin.post("/workflows/{id}/runs/{runId}/again", {
        path: { id: run.workflowId, runId: run.id },
        body: { version, ...(from === undefined ? {} : { from }) },
      });
      await renew(cache, { queryKey: ["workflow-runs"] });
      open(runPath(run.workflowId, data.run));
      onClose();
    } catch (error) {
      if (!(error instanceof RowhouseError) || error.status !== 409) throw error;
      setReasons(error.faults.map(({ message }) => message));
    }
  }, []);
  return (
    <FormDialog
      title={from === undefined ? t("title") : t("titleFrom", { step: from })}
      task={task}
      submit={t("start")}
      onClose={onClose}
    >
      <p className="text-ink-2">{t(from === undefined ? "text" : "textFrom")}</p>
      <Select
        label={t("version")}
        value={version}
        options={[
          { value: "SAME", label: t("same") },
          { value: "NEWEST", label: t("newest") },
        ]}
        onChange={setVersion}
      />
      {reasons.length > 0 && (
        <Notice kind="danger">
          <p>{t("misfit")}</p>
          <ul lang="en" className="list-disc pl-4">
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </Notice>
      )}
    </FormDialog>
  );
}
