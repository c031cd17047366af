import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { renew } from "../../shell/renew.ts";
import { useTask } from "../../shell/use-task.ts";
import { linkClasses } from "../../ui/classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { type Definition, idOf, kindOf } from "../model/definition.ts";
import { useStepKinds } from "../parts/kinds-query.ts";
import { RunStatus } from "../parts/state-badges.tsx";
import { runPath } from "../parts/workflow-paths.ts";
import { ErrorBlock, ValuePart } from "../run-tree/panel-part.tsx";
import {
  type Run,
  type RunAddress,
  type RunStep,
  runDefinitionQuery,
  runStepQuery,
} from "../run-tree/run-queries.ts";
import { startKey } from "../run-tree/run-rows.ts";
import { RunTree, treeHeight } from "../run-tree/run-tree.tsx";
import { failedStep } from "../run-tree/step-index.ts";
import { useNow, useRun, useRunTree } from "../run-tree/use-run.ts";
import { examplesQuery } from "./save-sample-dialog.tsx";

interface TestResultProps {
  readonly address: RunAddress;
  /** Takes the output of a step as the mock of the next test. */
  readonly onMock: (stepId: string, output: unknown) => void;
}

/** What each step of a test did, while it runs and afterwards. */
export function TestResult({ address, onMock }: TestResultProps) {
  const words = useTranslations("manage");
  const { run, steps, error, reload } = useRun(address);
  const definition = useQuery(runDefinitionQuery(address));
  const failure = error ?? (definition.data === undefined ? definition.error : null);
  if (failure !== null) return <FailureNotice error={failure} onRetry={reload} />;
  if (run === undefined || steps === undefined || definition.data === undefined) {
    return <Skeleton label={words("loading")} rows={4} />;
  }
  return <Result run={run} steps={steps} definition={definition.data} onMock={onMock} />;
}

interface ResultProps extends Pick<TestResultProps, "onMock"> {
  readonly run: Run;
  readonly steps: readonly RunStep[];
  readonly definition: Definition;
}

function Result({ run, steps, definition, onMock }: ResultProps) {
  const t = useTranslations("workflows.test");
  const texts = useTranslations("workflows");
  const [chosen, setChosen] = useState<string>();
  const now = useNow(run.finishedAt === null);
  const failed = run.error === null ? undefined : failedStep(steps, run.error)?.path;
  const selected = chosen ?? failed ?? startKey;
  const tree = useRunTree(definition, steps, selected);
  const row = tree.rows.find(({ key }) => key === selected);
  return (
    <section aria-label={t("result")} className="grid rounded-panel border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-2">
        <h2 className="font-semibold">{t("result")}</h2>
        <RunStatus status={run.status} />
        <AppLink href={runPath(run.workflowId, run.id)} className={linkClasses}>
          {t("openRun")}
        </AppLink>
      </div>
      <div style={{ height: Math.min(320, treeHeight(tree.rows.length)) }}>
        <RunTree
          rows={tree.rows}
          run={run}
          now={now}
          selected={selected}
          onSelect={setChosen}
          onOpen={tree.setOpen}
        />
      </div>
      <div className="border-line border-t">
        {row?.type === "start" && <ValuePart title={texts("input")} value={run.input} />}
        {row?.type === "end" && (
          <>
            {run.error !== null && <ErrorBlock error={run.error} />}
            <ValuePart title={texts("result")} value={run.result} />
          </>
        )}
        {row?.type === "step" && row.record !== undefined && (
          <StepResult
            key={row.key}
            run={run}
            record={row.record}
            id={idOf(row.step)}
            kind={kindOf(row.step)}
            onMock={onMock}
          />
        )}
      </div>
    </section>
  );
}

interface StepResultProps extends Pick<TestResultProps, "onMock"> {
  readonly run: Run;
  readonly record: RunStep;
  readonly id: string;
  readonly kind: string;
}

function StepResult({ run, record, id, kind, onMock }: StepResultProps) {
  const t = useTranslations("workflows.test");
  const texts = useTranslations("workflows");
  const words = useTranslations("manage");
  const kinds = useStepKinds();
  const cache = useQueryClient();
  const address = { id: run.workflowId, runId: run.id };
  const { path } = record;
  const state = `${record.status} ${record.attempt}`;
  const { data, error, refetch } = useQuery(runStepQuery(address, path, state));
  const pinning = useTask(async () => {
    await client.admin.put("/workflows/{id}/examples/{stepId}", {
      path: { id: run.workflowId, stepId: id },
      data: { run: run.id, path },
    });
    await renew(cache, { queryKey: examplesQuery(run.workflowId).queryKey });
  }, []);
  if (data === undefined || data === null) {
    return (
      <div className="p-4">
        {error === null ? (
          <Skeleton label={words("loading")} rows={3} />
        ) : (
          <FailureNotice error={error} onRetry={() => void refetch()} />
        )}
      </div>
    );
  }
  const hasEffects = kinds?.steps.some((one) => one.kind === kind && one.hasEffects) === true;
  return (
    <>
      {data.error !== null && <ErrorBlock error={data.error} />}
      {data.input !== null && <ValuePart title={texts("inputFilled")} value={data.input} />}
      {data.status === "SUCCEEDED" && (
        <ValuePart
          title={texts("output")}
          value={data.output}
          actions={
            hasEffects && (
              <>
                <ToolButton kind="bare" onClick={() => onMock(id, data.output)}>
                  {t("useAsMock")}
                </ToolButton>
                <ToolButton kind="bare" disabled={pinning.isBusy} onClick={pinning.run}>
                  {t("pin")}
                </ToolButton>
              </>
            )
          }
        />
      )}
      {data.status !== "SUCCEEDED" && hasEffects && (
        <div className="p-3">
          <ToolButton onClick={() => onMock(id, null)}>{t("useAsMock")}</ToolButton>
        </div>
      )}
      {pinning.failure !== undefined && <Notice kind="danger">{pinning.failure}</Notice>}
    </>
  );
}
