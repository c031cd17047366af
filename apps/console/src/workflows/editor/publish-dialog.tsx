import { RowhouseError } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { useTask } from "../../shell/use-task.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { DefinitionFault, PlacedFault } from "../model/faults.ts";
import { useWorkflowChange } from "../parts/workflow-queries.ts";
import { ChangeList } from "./change-list.tsx";
import type { StoredDraft, storedDraft } from "./draft-query.ts";
import { FaultList } from "./editor-notices.tsx";

interface PublishDialogProps {
  /** The draft as it is stored. */
  readonly stored: StoredDraft;
  /** The faults that prevent it from running. */
  readonly faults: readonly PlacedFault[];
  /** Shows the place of a fault. */
  readonly onFault: (fault: PlacedFault) => void;
  readonly onPublished: (answer: Parameters<typeof storedDraft>[0]) => Promise<void>;
  /** The service refuses the draft for its faults. */
  readonly onRefused: (faults: readonly DefinitionFault[]) => void;
  readonly onClose: () => void;
}

/** Shows what publishing changes for those who call the workflow, publishes the draft, and offers to enable it. */
export function PublishDialog(props: PublishDialogProps) {
  const { stored, faults, onClose } = props;
  const errors = faults.length;
  const { workflow, etag } = stored;
  const t = useTranslations("workflowEditor");
  const words = useTranslations("manage");
  const path = { id: workflow.id };
  const [done, setDone] = useState<{ readonly number: number; readonly isEnabled: boolean }>();
  const onChange = useWorkflowChange();
  const present = workflow.published?.number;
  const diff = useQuery({
    queryKey: ["workflow-diff", workflow.id, present, etag],
    queryFn: async ({ signal }) => {
      const number = String(present);
      const options = { path: { ...path, number }, query: { to: "draft" }, signal };
      return (await client.admin.get("/workflows/{id}/versions/{number}/diff", options)).data;
    },
    enabled: present !== undefined && done === undefined,
  });
  const publishing = useTask(async () => {
    try {
      const answer = await client.admin.post("/workflows/{id}/publish", { path, ifMatch: etag });
      await props.onPublished(answer);
      const { published, enabled } = answer.data;
      setDone({ number: published?.number ?? 1, isEnabled: enabled });
    } catch (error) {
      if (!(error instanceof RowhouseError && error.code === "WORKFLOW_INVALID")) throw error;
      props.onRefused(
        error.faults.map(({ code, path = "", message }) => ({ code, path, message })),
      );
    }
  }, []);
  const enabling = useTask(async () => {
    await onChange((await client.admin.post("/workflows/{id}/enable", { path })).data);
    onClose();
  }, []);
  const changes = diff.data;
  if (done !== undefined) {
    return (
      <Dialog title={t("published", { number: done.number })} onClose={onClose}>
        {enabling.failure !== undefined && <Notice kind="danger">{enabling.failure}</Notice>}
        <p className="text-ink-2">{t(done.isEnabled ? "publishedEnabled" : "publishedDisabled")}</p>
        <DialogActions>
          <Button onPress={onClose}>{words("close")}</Button>
          {!done.isEnabled && (
            <Button kind="primary" isBusy={enabling.isBusy} onPress={enabling.run}>
              {t("enable")}
            </Button>
          )}
        </DialogActions>
      </Dialog>
    );
  }
  const isSame = changes !== undefined && changes.length === 0;
  return (
    <Dialog title={t("publishTitle", { name: workflow.name })} onClose={onClose} isWide>
      {publishing.failure !== undefined && <Notice kind="danger">{publishing.failure}</Notice>}
      {errors > 0 && (
        <div className="grid gap-2">
          <Notice kind="danger">{t("publishFaults", { count: errors })}</Notice>
          <FaultList faults={faults} onOpen={props.onFault} />
        </div>
      )}
      {present === undefined && <p className="text-ink-2">{t("firstVersion")}</p>}
      {present !== undefined && (
        <p className="text-ink-2">
          {isSame ? t("noChanges") : t("publishText", { number: present })}
        </p>
      )}
      {diff.error !== null && (
        <FailureNotice error={diff.error} onRetry={() => void diff.refetch()} />
      )}
      {present !== undefined && diff.isPending && <Skeleton label={words("loading")} rows={4} />}
      {changes !== undefined && changes.length > 0 && (
        <div className="max-h-[50dvh] overflow-y-auto">
          <ChangeList changes={changes} />
        </div>
      )}
      <DialogActions>
        <Button onPress={onClose}>{words("cancel")}</Button>
        <Button
          kind="primary"
          isBusy={publishing.isBusy || errors > 0 || (present !== undefined && diff.isPending)}
          onPress={publishing.run}
        >
          {t("publish")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
