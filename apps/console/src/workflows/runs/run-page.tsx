import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ComponentProps, lazy, type ReactNode, Suspense } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { MissingPage } from "../../shell/message-page.tsx";
import { Moment } from "../../shell/moment.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { linkClasses } from "../../ui/classes.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { findStep } from "../model/branches.ts";
import { type Definition, isJsonObject } from "../model/definition.ts";
import { Duration, msBetween } from "../parts/duration.tsx";
import { useStepKinds } from "../parts/kinds-query.ts";
import { ViewSwitch } from "../parts/view-switch.tsx";
import { runPath } from "../parts/workflow-paths.ts";
import { isMissing } from "../parts/workflow-queries.ts";
import { ErrorBlock, Facts, PanelTitle, ValuePart } from "../run-tree/panel-part.tsx";
import { type Run, type RunStep, runDefinitionQuery } from "../run-tree/run-queries.ts";
import { type RunRow, startKey } from "../run-tree/run-rows.ts";
import { RunTree, treeHeight } from "../run-tree/run-tree.tsx";
import { failedStep } from "../run-tree/step-index.ts";
import { useNow, useRun, useRunTree } from "../run-tree/use-run.ts";
import { RunHead } from "./run-head.tsx";
import { StepPanel } from "./step-panel.tsx";

const route = getRouteApi("/frame/admin/workflows/$id/runs/$runId");

/** A run: its steps as a tree with the time of each, and the chosen step with its input and output. */
export function RunPage() {
  const address = route.useParams();
  const words = useTranslations("manage");
  const { run, steps, error, reload } = useRun(address);
  const definition = useQuery(runDefinitionQuery(address));
  const failure = error ?? (definition.data === undefined ? definition.error : null);
  if (run === undefined || steps === undefined || definition.data === undefined) {
    if (isMissing(failure)) return <MissingPage isInFrame />;
    return (
      <div className="p-4 md:p-6">
        {failure === null ? (
          <Skeleton label={words("loading")} rows={8} />
        ) : (
          <FailureNotice
            error={failure}
            onRetry={() => {
              reload();
              void definition.refetch();
            }}
          />
        )}
      </div>
    );
  }
  return (
    <>
      {failure !== null && (
        <div className="p-4">
          <FailureNotice error={failure} onRetry={reload} />
        </div>
      )}
      <LoadedRun key={run.id} run={run} steps={steps} definition={definition.data} />
    </>
  );
}

interface LoadedRunProps {
  readonly run: Run;
  readonly steps: readonly RunStep[];
  readonly definition: Definition;
}

function LoadedRun({ run, steps, definition }: LoadedRunProps) {
  const t = useTranslations("workflows");
  const words = useTranslations("workflowEditor");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const now = useNow(run.finishedAt === null);
  const selected = selectedOf(search.step, run, steps);
  const tree = useRunTree(definition, steps, selected);
  const row = tree.rows.find(({ key }) => key === selected) ?? unreachedRow(definition, selected);
  const isGraph = search.view === "graph";
  const select = (step: string) =>
    void navigate({ search: (last) => ({ ...last, step }), replace: true });
  useTitle(`${t("run")} ${run.id.slice(0, 8)} · ${run.workflowSlug}`);
  return (
    <div className="flex min-h-dvh flex-col lg:h-dvh lg:min-h-0">
      <RunHead
        run={run}
        from={row?.type === "step" && row.record !== undefined ? row.key : undefined}
      />
      <div className="grid min-h-0 flex-1 border-line border-t lg:grid-cols-[minmax(0,1fr)_24rem] xl:grid-cols-[minmax(0,1fr)_29rem]">
        <div className="flex min-h-0 min-w-0 flex-col bg-surface">
          <div className="border-line border-b px-3 py-1.5">
            <ViewSwitch
              label={words("view")}
              view={isGraph ? "graph" : "tree"}
              views={[
                { view: "tree", label: words("tree") },
                { view: "graph", label: words("graph") },
              ]}
              onChange={(view) =>
                void navigate({
                  search: (last) => ({ ...last, view: view === "graph" ? view : undefined }),
                  replace: true,
                })
              }
            />
          </div>
          {isGraph ? (
            <Graph {...{ run, definition, now, selected }} index={tree.index} onSelect={select} />
          ) : (
            <div
              className="h-full min-h-0 max-lg:h-[60dvh]"
              style={{ maxHeight: treeHeight(tree.rows.length) }}
            >
              <RunTree
                {...{ run, now, selected }}
                rows={tree.rows}
                onOpen={tree.setOpen}
                onSelect={select}
              />
            </div>
          )}
        </div>
        <aside
          aria-label={t("chosen")}
          className="grid min-h-0 min-w-0 content-start border-line bg-canvas max-lg:border-t lg:overflow-y-auto lg:border-l"
        >
          <RunPanel
            run={run}
            row={row}
            compared={search.compare}
            onCompare={(compare) =>
              void navigate({ search: (last) => ({ ...last, compare }), replace: true })
            }
          />
        </aside>
      </div>
    </div>
  );
}

const RunGraph = lazy(() =>
  import("../run-tree/run-graph.tsx").then((module) => ({ default: module.RunGraph })),
);

/** The graph, once the kinds of steps are loaded. */
function Graph(props: Omit<ComponentProps<typeof RunGraph>, "kinds">) {
  const words = useTranslations("manage");
  const kinds = useStepKinds();
  const waiting = <Skeleton label={words("loading")} rows={6} />;
  if (kinds === undefined) return waiting;
  return (
    <Suspense fallback={waiting}>
      <RunGraph {...props} kinds={kinds} />
    </Suspense>
  );
}

/** The row of a step that the tree does not show, because the run has taken another way. */
function unreachedRow(definition: Definition, path: string): RunRow | undefined {
  const step = findStep(definition, [], path.slice(path.lastIndexOf(".") + 1))?.step;
  if (!isJsonObject(step)) return undefined;
  const rest = { level: 1, parent: undefined, isOpen: undefined, taken: [], items: [] };
  return { type: "step", key: path, step, record: undefined, ...rest };
}

/** The chosen row: that of the address, else the step that ended the run, else its input. */
function selectedOf(wanted: string | undefined, run: Run, steps: readonly RunStep[]): string {
  if (wanted !== undefined) return wanted;
  if (run.error === null) return startKey;
  return failedStep(steps, run.error)?.path ?? startKey;
}

interface RunPanelProps {
  readonly run: Run;
  readonly row: RunRow | undefined;
  /** The run that the step is compared with. */
  readonly compared: string | undefined;
  readonly onCompare: (runId: string | undefined) => void;
}

/** What is known of the chosen row: a step, an item of a loop, the start of the run or its end. */
function RunPanel({ run, row, compared, onCompare }: RunPanelProps) {
  const t = useTranslations("workflows");
  if (row === undefined) return <p className="p-4 text-ink-2">{t("notInRun")}</p>;
  if (row.type === "start") {
    return (
      <>
        <PanelTitle>{t("start")}</PanelTitle>
        <RunFacts run={run} />
        <ValuePart title={t("input")} value={run.input} />
      </>
    );
  }
  if (row.type === "end") {
    return (
      <>
        <PanelTitle>{t("end")}</PanelTitle>
        {run.error !== null && <ErrorBlock error={run.error} />}
        <ValuePart title={t("result")} value={run.result} />
      </>
    );
  }
  if (row.type === "item") {
    return (
      <>
        <PanelTitle>{t("item", { number: row.item.index })}</PanelTitle>
        <p className="p-4 text-ink-2">{t("itemText")}</p>
      </>
    );
  }
  return (
    <StepPanel
      key={row.key}
      run={run}
      path={row.key}
      step={row.step}
      record={row.record}
      compared={compared}
      onCompare={onCompare}
    />
  );
}

/** Who and what started a run, and when. */
function RunFacts({ run }: { readonly run: Run }) {
  const t = useTranslations("workflows");
  const link = (href: string, text: ReactNode) => (
    <AppLink href={href} className={linkClasses}>
      {text}
    </AppLink>
  );
  const id = (text: string) => <code className="font-mono text-2">{text}</code>;
  const queued = msBetween(run.acceptedAt, run.startedAt ?? run.finishedAt);
  const facts: (readonly [string, ReactNode])[] = [
    [t("accepted"), <Moment key="accepted" at={run.acceptedAt} />],
    [t("queued"), queued === undefined ? "" : <Duration key="queued" ms={queued} />],
    [
      t("as"),
      <bdi key="as">{link(`/admin/people/users/${run.executeAsUserId}`, run.executeAsName)}</bdi>,
    ],
  ];
  if (run.callerUserId !== null) {
    const name = <bdi>{run.callerName}</bdi>;
    facts.push([t("caller"), link(`/admin/people/users/${run.callerUserId}`, name)]);
  }
  if (run.requestId !== null) {
    const href = `/admin/workflows/runs?requestId=${encodeURIComponent(run.requestId)}`;
    facts.push([t("request"), link(href, id(run.requestId))]);
  }
  if (run.parentRunId !== null) {
    const href = `/admin/workflows/runs?parentRunId=${run.parentRunId}`;
    facts.push([t("filters.parentRunId"), link(href, id(run.parentRunId))]);
  }
  if (run.tokenId !== null) facts.push([t("token"), id(run.tokenId)]);
  if (run.causedByRunId !== null) facts.push([t("causedBy"), id(run.causedByRunId)]);
  if (run.againOf !== null) {
    const { runId, from } = run.againOf;
    const before = <code className="font-mono text-2">{runId}</code>;
    const href = runPath(run.workflowId, runId, from ?? undefined);
    facts.push([t("againOf"), link(href, before)]);
    if (from !== null) facts.push([t("from"), id(from)]);
  }
  if (run.test !== null) {
    facts.push([t("test.effects"), t(`test.${run.test.effects}`)]);
    if (run.test.until !== null) facts.push([t("test.until"), id(run.test.until)]);
    if (run.test.mocked.length > 0) facts.push([t("mocked"), id(run.test.mocked.join(", "))]);
  }
  facts.push([
    t("startedRuns"),
    link(`/admin/workflows/runs?parentRunId=${run.id}`, t("startedRunsLink")),
  ]);
  return <Facts facts={facts} />;
}
