import { writeJson } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { Moment } from "../../shell/moment.tsx";
import { useDelayed } from "../../shell/use-delayed.ts";
import { linkClasses } from "../../ui/classes.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { toolClasses } from "../../ui/tool-button.tsx";
import { idOf, isJsonObject, kindOf, type StepNode } from "../model/definition.ts";
import { Duration, msBetween } from "../parts/duration.tsx";
import { useKindName } from "../parts/kinds-query.ts";
import { stepPath } from "../parts/workflow-paths.ts";
import { ErrorBlock, Facts, PanelPart, PanelTitle, ValuePart } from "../run-tree/panel-part.tsx";
import { type Run, type RunStep, runStepQuery } from "../run-tree/run-queries.ts";
import { faultyField } from "../run-tree/step-facts.ts";
import { StepCompare } from "./step-compare.tsx";

/** Keys that go through the tree must not load each step on the way. */
const restMs = 120;

interface StepPanelProps {
  readonly run: Run;
  readonly path: string;
  readonly step: StepNode;
  /** Undefined if the run has not reached it. */
  readonly record: RunStep | undefined;
  readonly compared: string | undefined;
  readonly onCompare: (runId: string | undefined) => void;
}

/** A step of a run: why it failed, its input with the templates filled in, and its output. */
export function StepPanel({ run, path, step, record, compared, onCompare }: StepPanelProps) {
  const t = useTranslations("workflows");
  const words = useTranslations("manage");
  const kindName = useKindName();
  const wanted = useDelayed(path, restMs);
  const state = record === undefined ? "" : `${record.status} ${record.attempt}`;
  const { data, error, refetch } = useQuery({
    ...runStepQuery({ id: run.workflowId, runId: run.id }, path, state),
    enabled: record !== undefined && wanted === path,
  });
  return (
    <>
      <PanelTitle>
        <bdi>{idOf(step)}</bdi>{" "}
        <span className="font-normal text-3 text-ink-2">{kindName(kindOf(step))}</span>
      </PanelTitle>
      {record === undefined ? (
        <p className="p-4 text-ink-2">{t("stepStatuses.notReached")}</p>
      ) : (
        <>
          <StepError run={run} path={path} step={step} record={record} />
          <StepFacts runId={run.id} record={record} />
        </>
      )}
      {error !== null && data === undefined && (
        <div className="p-4">
          <FailureNotice error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {record !== undefined && data === undefined && error === null && (
        <div className="p-4">
          <Skeleton label={words("loading")} rows={6} />
        </div>
      )}
      {data !== undefined && data !== null && (
        <>
          {data.input !== null && <ValuePart title={t("inputFilled")} value={data.input} />}
          {(data.output !== null || data.status === "SUCCEEDED") && (
            <ValuePart title={t("output")} value={data.output} />
          )}
        </>
      )}
      {record !== undefined && <VisibleValues run={run} record={record} />}
      {record !== undefined && (
        <StepCompare
          run={run}
          path={path}
          step={data ?? undefined}
          compared={compared}
          onCompare={onCompare}
        />
      )}
    </>
  );
}

interface StepErrorProps extends Pick<StepPanelProps, "run" | "path" | "step"> {
  readonly record: RunStep;
}

function StepError({ run, path, step, record }: StepErrorProps) {
  const t = useTranslations("workflows");
  const { error } = record;
  if (error === null) return null;
  // A loop has the error of the step in it that failed.
  const isOwn = error.step === null || error.step === idOf(step);
  const field = isOwn ? faultyField(step, error) : "";
  const place = [path.split(".").join(" › "), ...field.split("/").slice(1)].join(" › ");
  return (
    <ErrorBlock error={error} place={place}>
      <div className="flex flex-wrap gap-2">
        <AppLink
          href={stepPath(run.workflowId, error.step ?? idOf(step), field)}
          className={toolClasses("plain")}
        >
          {t("editStep")}
        </AppLink>
      </div>
    </ErrorBlock>
  );
}

function StepFacts({ runId, record }: { readonly runId: string; readonly record: RunStep }) {
  const t = useTranslations("workflows");
  const ms = msBetween(record.startedAt, record.finishedAt);
  const facts: (readonly [string, ReactNode])[] = [
    [t("began"), <Moment key="began" at={record.startedAt} />],
  ];
  if (ms !== undefined && record.finishedAt !== null)
    facts.push([t("took"), <Duration key="took" ms={ms} />]);
  if (record.attempt > 1) facts.push([t("attempt"), record.attempt]);
  if (record.resumeAt !== null && record.finishedAt === null) {
    facts.push([t("continues"), <Moment key="continues" at={record.resumeAt} />]);
  }
  if (record.childRunId !== null) {
    facts.push([
      t("childRun"),
      <AppLink
        key="child"
        href={`/admin/workflows/runs?parentRunId=${runId}`}
        className={linkClasses}
      >
        <code className="font-mono text-2">{record.childRunId}</code>
      </AppLink>,
    ]);
  }
  return <Facts facts={facts} />;
}

const valuesMax = 30;
/** Characters of a value. */
const shownMax = 120;

/** What the templates of a step could name, with the values of this run. */
function VisibleValues({ run, record }: { readonly run: Run; readonly record: RunStep }) {
  const t = useTranslations("workflows");
  const values = visibleValues(run, record);
  if (values.length === 0) return null;
  return (
    <PanelPart title={t("visible")}>
      <dl className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-3 gap-y-1 rounded-panel border border-line bg-surface p-3 font-mono text-2">
        {values.map(({ name, value }) => (
          <div key={name} className="contents">
            <dt dir="auto" className="wrap-anywhere">
              {name}
            </dt>
            <dd dir="auto" className="truncate text-ink-2">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </PanelPart>
  );
}

/** The parts of the input, and the outputs of the steps before one in the same loops, the latest first. */
function visibleValues(
  run: Run,
  record: RunStep,
): readonly { readonly name: string; readonly value: string }[] {
  const scope = scopeOf(record.path);
  const before = run.steps.filter(
    ({ path, position, status }) =>
      status === "SUCCEEDED" && position < record.position && scope.startsWith(scopeOf(path)),
  );
  const inputs = isJsonObject(run.input) ? Object.entries(run.input) : [];
  const given: (readonly [string, unknown])[] =
    inputs.length > 0
      ? inputs.map(([key, value]) => [`start.data.${key}`, value])
      : [["start.data", run.input]];
  const outputs = before
    .toReversed()
    .map(({ path, output }) => [`steps.${path.slice(scopeOf(path).length)}`, output] as const);
  return [...outputs, ...given].slice(0, valuesMax).map(([name, value]) => {
    const text = writeJson(value ?? null);
    return { name, value: text.length > shownMax ? `${text.slice(0, shownMax)}…` : text };
  });
}

/** The loops and items around a step, with the dot behind them; empty outside of loops. */
function scopeOf(path: string): string {
  return path.slice(0, path.lastIndexOf(".") + 1);
}
