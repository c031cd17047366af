import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { DeleteReadingDialog } from "../../records/saved/delete-reading-dialog.tsx";
import { readingsKey } from "../../records/saved/reading-api.ts";
import { useOpen } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { useTask } from "../../shell/use-task.ts";
import { Copy, Trash2 } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { dashboardApi } from "./dashboard-api.ts";
import { bodyOf } from "./dashboard-body.ts";
import type { Draft } from "./draft.ts";

interface BoardActionsProps {
  readonly id: string;
  readonly draft: Draft;
  /** What is not saved may be lost. */
  readonly onDeleted: () => void;
}

const nameMax = 100;

/** Copies or deletes a stored board. The copy is the board as it is shown, without roles. */
export function BoardActions({ id, draft, onDeleted }: BoardActionsProps) {
  const t = useTranslations("dashboardBuilder");
  const readings = useTranslations("readings");
  const queries = useQueryClient();
  const open = useOpen();
  const [isDeleting, setDeleting] = useState(false);
  const copying = useTask(async () => {
    const name = readings("copyOf", { name: draft.name }).slice(0, nameMax);
    const data = bodyOf({ ...draft, name, roleIds: [] });
    const { data: copy } = await client.admin.post("/dashboards", { data });
    await queries.invalidateQueries({ queryKey: readingsKey("dashboard") });
    open(`/admin/dashboards/${copy.id}`);
  }, []);
  const { name, description, icon, position, roleIds, panels } = draft;
  return (
    <div className="grid gap-2 border-line border-t pt-4">
      {copying.failure !== undefined && <Notice kind="danger">{copying.failure}</Notice>}
      <div className="flex flex-wrap gap-2">
        <ToolButton onClick={copying.run} aria-disabled={copying.isBusy}>
          <Copy size={14} aria-hidden="true" />
          {t("copyBoard")}
        </ToolButton>
        <ToolButton kind="danger" onClick={() => setDeleting(true)}>
          <Trash2 size={14} aria-hidden="true" />
          {t("deleteBoard")}
        </ToolButton>
      </div>
      {isDeleting && (
        <DeleteReadingDialog
          api={dashboardApi}
          entry={{
            ...{ id, name, description, icon, position, roleIds },
            resourceId: null,
            panelCount: panels.length,
          }}
          onDeleted={onDeleted}
          onClose={() => setDeleting(false)}
        />
      )}
    </div>
  );
}
