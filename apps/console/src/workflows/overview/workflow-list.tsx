import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { NameLink } from "../../shell/name-link.tsx";
import { linkClasses } from "../../ui/link-classes.ts";
import { type ListColumn, ListTable } from "../../ui/list-table.tsx";
import { useDuration } from "../parts/duration.ts";
import { triggerKindOf } from "../parts/trigger-kind.ts";
import { runPath, workflowPath } from "../parts/workflow-paths.ts";
import type { Workflow } from "../parts/workflow-queries.ts";
import { WorkflowState } from "../parts/workflow-state.tsx";
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
  const duration = useDuration();
  const states = new Map(overview?.workflows.map((state) => [state.id, state]));
  const columns: readonly ListColumn<Workflow>[] = [
    {
      key: "name",
      label: words("name"),
      cell: ({ id, name }) => <NameLink href={workflowPath(id)} name={name} />,
    },
    {
      key: "slug",
      label: t("slug"),
      width: "w-[16%]",
      cell: ({ slug }) => (
        <code className="font-mono text-2" title={slug}>
          {slug}
        </code>
      ),
    },
    {
      key: "trigger",
      label: t("trigger"),
      width: "w-32",
      cell: ({ definition }) => {
        const kind = triggerKindOf(definition);
        return kind === undefined ? "" : t(`triggers.${kind}`);
      },
    },
    {
      key: "state",
      label: t("state"),
      width: "w-28",
      cell: (workflow) => <WorkflowState workflow={workflow} />,
    },
    {
      key: "runs",
      label: t("runs"),
      width: "w-28",
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
      width: "w-40",
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
      width: "w-36",
      isNumber: true,
      cell: ({ id }) => {
        const state = states.get(id);
        if (state === undefined || state.medianMs === null || state.p95Ms === null) return "";
        return `${duration(state.medianMs)} / ${duration(state.p95Ms)}`;
      },
    },
  ];
  return (
    <ListTable label={t("title")} items={workflows} columns={columns} keyOf={({ id }) => id} />
  );
}
