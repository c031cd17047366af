import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { type ManagedLock, ManagedNotice, useManagedLock } from "../../shell/managed.tsx";
import { MissingPage } from "../../shell/message-page.tsx";
import { TabLinks } from "../../shell/tab-links.tsx";
import { useTask } from "../../shell/use-task.ts";
import { useTitle } from "../../shell/use-title.ts";
import { linkClasses } from "../../ui/classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Switch } from "../../ui/switch.tsx";
import { WorkflowState } from "./state-badges.tsx";
import { workflowPath } from "./workflow-paths.ts";
import { isMissing, useWorkflowChange, type Workflow, workflowQuery } from "./workflow-queries.ts";

/** The tabs in their order. */
const tabs = ["editor", "test", "runs", "versions", "settings"] as const;

interface WorkflowFrameProps {
  readonly id: string;
  /** What can be done on this tab, beside the name. */
  readonly actions?: ReactNode;
  /** Whether the content takes the rest of the window's height and scrolls by itself. */
  readonly isFull?: boolean;
  /** `isLocked` while the workflow is kept in files, and its person has not decided to edit it anyway. */
  readonly children: (workflow: Workflow, isLocked: boolean) => ReactNode;
}

/** The frame of a workflow's pages: its name, whether it starts, and its tabs. */
export function WorkflowFrame({ id, actions, isFull = false, children }: WorkflowFrameProps) {
  const words = useTranslations("manage");
  const { data: workflow, error, refetch } = useQuery(workflowQuery(id));
  const lock = useManagedLock("workflows", workflow === undefined ? [] : [workflow.slug]);
  if (workflow === undefined) {
    if (isMissing(error)) return <MissingPage isInFrame />;
    return (
      <div className="p-4 md:p-6">
        {error === null ? (
          <Skeleton label={words("loading")} rows={8} />
        ) : (
          <FailureNotice error={error} onRetry={() => void refetch()} />
        )}
      </div>
    );
  }
  return (
    <div className={isFull ? "flex min-h-dvh flex-col lg:h-dvh lg:min-h-0" : "grid content-start"}>
      <FrameHead workflow={workflow} actions={actions} lock={lock} />
      {isFull ? (
        <div className="grid min-h-0 min-w-0 flex-1">{children(workflow, lock.isLocked)}</div>
      ) : (
        <div className="grid content-start gap-5 p-4 md:p-6">
          {children(workflow, lock.isLocked)}
        </div>
      )}
    </div>
  );
}

function FrameHead(props: {
  readonly workflow: Workflow;
  readonly actions: ReactNode;
  readonly lock: ManagedLock;
}) {
  const { workflow, actions, lock } = props;
  const t = useTranslations("workflows");
  useTitle(workflow.name);
  return (
    <div className="grid gap-3 px-4 pt-4 md:px-6">
      <PageHead
        trail={
          <>
            <AppLink href="/admin/workflows" className={linkClasses}>
              {t("title")}
            </AppLink>
            <span aria-hidden="true"> / </span>
          </>
        }
        title={
          <>
            <bdi>{workflow.name}</bdi>
            <span className="font-normal text-3">
              <WorkflowState workflow={workflow} />
            </span>
          </>
        }
      >
        <EnabledSwitch workflow={workflow} isLocked={lock.isLocked} />
        {actions}
      </PageHead>
      <ManagedNotice lock={lock} />
      {workflow.problem !== null && (
        <Notice kind="danger">
          <span lang="en">{workflow.problem}</span>
        </Notice>
      )}
      <TabLinks
        label={workflow.name}
        tabs={tabs.map((tab) => ({
          href: workflowPath(workflow.id, tab),
          label: t(`tabs.${tab}`),
        }))}
      />
    </div>
  );
}

/** Switches whether the published version starts. */
function EnabledSwitch(props: { readonly workflow: Workflow; readonly isLocked: boolean }) {
  const { workflow, isLocked } = props;
  const t = useTranslations("workflows");
  const onChange = useWorkflowChange();
  const { enabled, published } = workflow;
  const task = useTask(async () => {
    const path = { id: workflow.id };
    const { data } = enabled
      ? await client.admin.post("/workflows/{id}/disable", { path })
      : await client.admin.post("/workflows/{id}/enable", { path });
    await onChange(data);
  }, []);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {task.failure !== undefined && (
        <span role="alert" className="text-danger">
          {task.failure}
        </span>
      )}
      <Switch
        label={t("enabled")}
        isOn={enabled}
        isDisabled={published === null || isLocked}
        isBusy={task.isBusy}
        title={published === null ? t("notPublished") : undefined}
        onChange={task.run}
      />
    </div>
  );
}
