import { type Fault, RowhouseError } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { useTask } from "../../shell/use-task.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { keysOf } from "../model/pointer.ts";
import { useWorkflowChange, type Workflow } from "../parts/workflow-queries.ts";
import { ChangeList } from "./change-list.tsx";
import { diffQuery } from "./version-list.tsx";

interface RollBackDialogProps {
  readonly workflow: Workflow;
  readonly number: number;
  readonly onDone: (number: number) => void;
  readonly onClose: () => void;
}

/** Shows what an earlier version changes for new runs, and publishes it again. */
export function RollBackDialog({ workflow, number, onDone, onClose }: RollBackDialogProps) {
  const t = useTranslations("workflowEditor");
  const words = useTranslations("manage");
  const onChange = useWorkflowChange();
  const present = workflow.published?.number ?? number;
  const diff = useQuery(diffQuery(workflow, present, number));
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const task = useTask(async () => {
    setFaults([]);
    const path = { id: workflow.id, number: String(number) };
    try {
      const { data } = await client.admin.post("/workflows/{id}/versions/{number}/publish", {
        path,
      });
      await onChange(data);
      onDone(data.published?.number ?? number);
    } catch (error) {
      if (!(error instanceof RowhouseError && error.code === "WORKFLOW_INVALID")) throw error;
      setFaults(error.faults);
    }
  }, []);
  return (
    <FormDialog
      title={t("versions.rollBackTitle", { number })}
      task={task}
      submit={t("publish")}
      onClose={onClose}
    >
      {faults.length > 0 && (
        <Notice kind="danger">
          <ul lang="en">
            {faults.map(({ path = "", message }) => (
              <li key={`${path} ${message}`}>
                <bdi className="font-medium">{keysOf(path).join(" › ")}</bdi> {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <p className="text-ink-2">{t("versions.rollBackText")}</p>
      {diff.data === undefined ? (
        <Skeleton label={words("loading")} rows={3} />
      ) : diff.data.length === 0 ? (
        <p className="text-ink-2">{t("versions.same")}</p>
      ) : (
        <div className="max-h-[50dvh] overflow-y-auto">
          <ChangeList changes={diff.data} />
        </div>
      )}
    </FormDialog>
  );
}
