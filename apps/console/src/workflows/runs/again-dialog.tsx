import { RowhouseError } from "@rowhouse/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useOpen } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { renew } from "../../shell/renew.ts";
import { useTask } from "../../shell/use-task.ts";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { runPath } from "../parts/workflow-paths.ts";
import type { Run } from "../run-tree/run-queries.ts";

interface AgainDialogProps {
  readonly run: Run;
  /** Path of the step at which the new run begins; undefined for its first one. */
  readonly from: string | undefined;
  readonly onClose: () => void;
}

/** Repeats a run, from its beginning or from a step, with its own version or the newest one. */
export function AgainDialog({ run, from, onClose }: AgainDialogProps) {
  const t = useTranslations("workflows.repeat");
  const open = useOpen();
  const cache = useQueryClient();
  const [version, setVersion] = useState<"SAME" | "NEWEST">("SAME");
  const [reasons, setReasons] = useState<readonly string[]>([]);
  const task = useTask(async () => {
    setReasons([]);
    try {
      const { data } = await client.admin.post("/workflows/{id}/runs/{runId}/again", {
        path: { id: run.workflowId, runId: run.id },
        body: { version, ...(from === undefined ? {} : { from }) },
      });
      await renew(cache, { queryKey: ["workflow-runs"] });
      open(runPath(run.workflowId, data.run));
      onClose();
    } catch (error) {
      if (!(error instanceof RowhouseError) || error.status !== 409) throw error;
      setReasons(error.faults.map(({ message }) => message));
    }
  }, []);
  return (
    <FormDialog
      title={from === undefined ? t("title") : t("titleFrom", { step: from })}
      task={task}
      submit={t("start")}
      onClose={onClose}
    >
      <p className="text-ink-2">{t(from === undefined ? "text" : "textFrom")}</p>
      <Select
        label={t("version")}
        value={version}
        options={[
          { value: "SAME", label: t("same") },
          { value: "NEWEST", label: t("newest") },
        ]}
        onChange={setVersion}
      />
      {reasons.length > 0 && (
        <Notice kind="danger">
          <p>{t("misfit")}</p>
          <ul lang="en" className="list-disc pl-4">
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </Notice>
      )}
    </FormDialog>
  );
}
