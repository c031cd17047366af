import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { MissingPage } from "../../shell/missing-page.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { Definition } from "../model/definition.ts";
import { isMissing } from "../parts/is-missing.ts";
import { type Run, type RunStep, runDefinitionQuery } from "../run-tree/run-queries.ts";
import { startKey } from "../run-tree/run-rows.ts";
import { RunTree, treeHeight } from "../run-tree/run-tree.tsx";
import { failedStep } from "../run-tree/step-index.ts";
import { useNow } from "../run-tree/use-now.ts";
import { useRun } from "../run-tree/use-run.ts";
import { useRunTree } from "../run-tree/use-run-tree.ts";
import { RunHead } from "./run-head.tsx";
import { RunPanel } from "./run-panel.tsx";

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
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const now = useNow(run.finishedAt === null);
  const selected = selectedOf(search.step, run, steps);
  const tree = useRunTree(definition, steps, selected);
  const row = tree.rows.find(({ key }) => key === selected);
  useTitle(`${t("run")} ${run.id.slice(0, 8)} · ${run.workflowSlug}`);
  return (
    <div className="flex min-h-dvh flex-col lg:h-dvh lg:min-h-0">
      <RunHead
        run={run}
        from={row?.type === "step" && row.record !== undefined ? row.key : undefined}
      />
      <div className="grid min-h-0 flex-1 border-line border-t lg:grid-cols-[minmax(0,1fr)_24rem] xl:grid-cols-[minmax(0,1fr)_29rem]">
        <div className="min-h-0 bg-surface">
          <div
            className="h-full max-lg:h-[60dvh]"
            style={{ maxHeight: treeHeight(tree.rows.length) }}
          >
            <RunTree
              rows={tree.rows}
              run={run}
              now={now}
              selected={selected}
              onOpen={tree.setOpen}
              onSelect={(step) =>
                void navigate({ search: (last) => ({ ...last, step }), replace: true })
              }
            />
          </div>
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

/** The chosen row: that of the address, else the step that ended the run, else its input. */
function selectedOf(wanted: string | undefined, run: Run, steps: readonly RunStep[]): string {
  if (wanted !== undefined) return wanted;
  if (run.error === null) return startKey;
  return failedStep(steps, run.error)?.path ?? startKey;
}
