import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { Moment } from "../../shell/moment.tsx";
import { linkClasses } from "../../ui/link-classes.ts";
import { type ListColumn, ListTable } from "../../ui/list-table.tsx";
import { Duration, msBetween } from "../parts/duration.tsx";
import { RunStatus } from "../parts/run-status.tsx";
import { workflowPath } from "../parts/workflow-paths.ts";
import type { RunSummary } from "../parts/workflow-queries.ts";
import type { RunsSearch } from "./runs-search.ts";

interface RunListProps {
  readonly runs: readonly RunSummary[];
  /** Whether the runs are those of several workflows. */
  readonly hasWorkflow: boolean;
  /** Narrows the list to runs that share a value. */
  readonly onFilter: (change: RunsSearch) => void;
}

/** Runs, each with its status, what started it and how long it took. A value leads to the runs that share it. */
export function RunList({ runs, hasWorkflow, onFilter }: RunListProps) {
  const t = useTranslations("workflows");
  const narrow = (text: ReactNode, change: RunsSearch) => (
    <button
      type="button"
      className={`${linkClasses} max-w-full truncate`}
      onClick={() => onFilter(change)}
    >
      {text}
    </button>
  );
  const columns: readonly ListColumn<RunSummary>[] = [
    {
      key: "accepted",
      label: t("accepted"),
      width: "w-[19%]",
      cell: ({ id, workflowId, acceptedAt }) => (
        <AppLink
          href={`${workflowPath(workflowId, "runs")}/${id}`}
          className={`${linkClasses} font-medium`}
        >
          <Moment at={acceptedAt} />
        </AppLink>
      ),
    },
    ...(hasWorkflow
      ? [
          {
            key: "workflow",
            label: t("workflow"),
            cell: ({ workflowId, workflowSlug }: RunSummary) =>
              narrow(<bdi>{workflowSlug}</bdi>, { workflowId }),
          },
        ]
      : []),
    {
      key: "status",
      label: t("status"),
      width: "w-[13%]",
      cell: ({ status }) => <RunStatus status={status} />,
    },
    {
      key: "origin",
      label: t("origin"),
      width: "w-[14%]",
      cell: ({ origin }) => narrow(t(`origins.${origin}`), { origin }),
    },
    {
      key: "version",
      label: t("version"),
      width: "w-[8%]",
      cell: ({ versionNumber }) => versionNumber ?? t("draftVersion"),
    },
    {
      key: "error",
      label: t("error"),
      width: "w-[22%]",
      cell: ({ error }) =>
        error !== null && (
          <span title={error.message}>
            {narrow(<code className="font-mono text-2">{error.code}</code>, {
              errorCode: error.code,
            })}{" "}
            {error.step !== null && (
              <code className="font-mono text-2 text-ink-2">{error.step}</code>
            )}
          </span>
        ),
    },
    {
      key: "took",
      label: t("took"),
      width: "w-[10%]",
      isNumber: true,
      cell: ({ startedAt, finishedAt }) => {
        const ms = msBetween(startedAt, finishedAt);
        return ms === undefined ? "" : <Duration ms={ms} />;
      },
    },
  ];
  return <ListTable label={t("runs")} items={runs} columns={columns} keyOf={({ id }) => id} />;
}
