import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { ManagedMark } from "../../shell/managed.tsx";
import { NameLink } from "../../shell/name-link.tsx";
import { linkClasses } from "../../ui/classes.ts";
import { type ListColumn, ListTable } from "../../ui/list-table.tsx";
import { Duration } from "../parts/duration.tsx";
import { triggerKindOf } from "../parts/kinds-query.ts";
import { WorkflowState } from "../parts/state-badges.tsx";
import { runPath, workflowPath } from "../parts/workflow-paths.ts";
import type { Workflow } from "../parts/workflow-queries.ts";
import type { Overview } from "./overview-query.ts";

interface WorkflowListProps {
  readonly workflows: readonly Workflow[];
  /** Undefined until it is loaded. */
  readonly overview: Overview | undefined;
}

/** Workflows with their trigger, their state, and their runs of the period. */
export function WorkflowList({ workflows, overview }: WorkflowListProps) {
  const t = useTranslations("workflows");
  const words = useTranslations("manage");
  const states = new Map(overview?.workflows.map((state) => [state.id, state]));
  const columns: readonly ListColumn<Workflow>[] = [
    {
      key: "name",
      label: words("name"),
      cell: ({ id, name, slug }) => (
        <span className="grid grid-cols-[minmax(0,auto)_minmax(0,1fr)] items-baseline gap-2">
          <NameLink
            href={workflowPath(id)}
            name={name}
            mark={<ManagedMark part="workflows" names={[slug]} />}
          />
          <code className="truncate font-mono text-2 text-ink-2" title={slug}>
            {slug}
          </code>
        </span>
      ),
    },
    {
      key: "trigger",
      label: t("trigger"),
      width: "w-[13%]",
      cell: ({ definition }) => {
        const kind = triggerKindOf(definition);
        return kind === undefined ? "" : t(`triggers.${kind}`);
      },
    },
    {
      key: "state",
      label: t("state"),
      width: "w-[11%]",
      cell: (workflow) => <WorkflowState workflow={workflow} />,
    },
    {
      key: "runs",
      label: t("runs"),
      width: "w-[11%]",
      cell: ({ id }) => {
        const state = states.get(id);
        if (state === undefined || state.runs.total === 0) return "";
        return (
          <AppLink href={workflowPath(id, "runs")} className={linkClasses}>
            {t("overview.total", { count: state.runs.total, running: state.running })}
          </AppLink>
        );
      },
    },
    {
      key: "failed",
      label: t("statuses.FAILED"),
      width: "w-[18%]",
      cell: ({ id }) => {
        const state = states.get(id);
        if (state === undefined || state.lastFailure === null) return "";
        const { runId, code } = state.lastFailure;
        return (
          <AppLink href={runPath(id, runId)} title={code} className={linkClasses}>
            {t("overview.failed", { count: state.runs.failed })}{" "}
            <code className="font-mono text-2">{code}</code>
          </AppLink>
        );
      },
    },
    {
      key: "took",
      label: t("overview.took"),
      width: "w-[15%]",
      isNumber: true,
      cell: ({ id }) => {
        const state = states.get(id);
        if (state === undefined || state.medianMs === null || state.p95Ms === null) return "";
        return (
          <>
            <Duration ms={state.medianMs} /> / <Duration ms={state.p95Ms} />
          </>
        );
      },
    },
  ];
  return (
    <ListTable label={t("title")} items={workflows} columns={columns} keyOf={({ id }) => id} />
  );
}
