import { useTranslations } from "use-intl";
import { Moment } from "../../shell/moment.tsx";
import { NameLink } from "../../shell/name-link.tsx";
import { type ListColumn, ListTable } from "../../ui/list-table.tsx";
import { triggerKindOf } from "../parts/trigger-kind.ts";
import { workflowPath } from "../parts/workflow-paths.ts";
import type { Workflow } from "../parts/workflow-queries.ts";
import { WorkflowState } from "../parts/workflow-state.tsx";

/** Workflows with their trigger, state and next moment. */
export function WorkflowList({ workflows }: { readonly workflows: readonly Workflow[] }) {
  const t = useTranslations("workflows");
  const words = useTranslations("manage");
  const columns: readonly ListColumn<Workflow>[] = [
    {
      key: "name",
      label: words("name"),
      cell: ({ id, name }) => <NameLink href={workflowPath(id)} name={name} />,
    },
    {
      key: "slug",
      label: t("slug"),
      cell: ({ slug }) => (
        <code className="font-mono text-2" title={slug}>
          {slug}
        </code>
      ),
    },
    {
      key: "trigger",
      label: t("trigger"),
      width: "w-40",
      cell: ({ definition }) => {
        const kind = triggerKindOf(definition);
        return kind === undefined ? "" : t(`triggers.${kind}`);
      },
    },
    {
      key: "state",
      label: t("state"),
      width: "w-44",
      cell: (workflow) => <WorkflowState workflow={workflow} />,
    },
    {
      key: "version",
      label: t("version"),
      width: "w-24",
      isNumber: true,
      cell: ({ published }) => published?.number ?? "",
    },
    {
      key: "next",
      label: t("nextRun"),
      width: "w-44",
      cell: ({ nextRunAt }) => (nextRunAt === null ? "" : <Moment at={nextRunAt} />),
    },
  ];
  return (
    <ListTable label={t("title")} items={workflows} columns={columns} keyOf={({ id }) => id} />
  );
}
