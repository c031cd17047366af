import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { DeleteReadingDialog } from "../../records/saved/delete-reading-dialog.tsx";
import { IconField } from "../../records/saved/icon-field.tsx";
import { readingsKey } from "../../records/saved/reading-api.ts";
import { RolesField } from "../../records/saved/reading-fields.tsx";
import { useOpen } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { LockedFields } from "../../shell/managed.tsx";
import { useTask } from "../../shell/use-task.ts";
import { Copy, Trash2 } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { dashboardApi } from "./dashboard-api.ts";
import { bodyOf } from "./dashboard-body.ts";
import type { Draft } from "./draft.ts";
import { boardFault, type DraftFault } from "./draft-faults.ts";
import { NumberField } from "./number-field.tsx";

interface BoardPaneProps {
  /** Null for a new board. */
  readonly id: string | null;
  readonly draft: Draft;
  readonly isLocked: boolean;
  readonly faults: readonly DraftFault[];
  readonly onChange: (draft: Draft, subject?: string) => void;
  readonly onDeleted: () => void;
}

/** The board itself: its name, who may open it, and its place in the navigation. */
export function BoardPane(props: BoardPaneProps) {
  const { id, draft, isLocked, faults, onChange, onDeleted } = props;
  const t = useTranslations("dashboardBuilder");
  const words = useTranslations("manage");
  const fault = (member: keyof Draft) => boardFault(faults, draft, member);
  return (
    <div className="grid content-start gap-5">
      <LockedFields isLocked={isLocked}>
        <TextField
          label={words("name")}
          name="name"
          autoComplete="off"
          value={draft.name}
          onChange={(name) => onChange({ ...draft, name }, "name")}
          fault={fault("name")}
        />
        <TextArea
          label={t("description")}
          name="description"
          value={draft.description}
          onChange={(description) => onChange({ ...draft, description }, "description")}
          fault={fault("description")}
        />
        <RolesField
          roleIds={draft.roleIds}
          fault={fault("roleIds")}
          onChange={(roleIds) => onChange({ ...draft, roleIds })}
        />
        <IconField
          kind="dashboard"
          icon={draft.icon}
          fault={fault("icon")}
          onChange={(icon) => onChange({ ...draft, icon })}
        />
        <NumberField
          label={t("position")}
          hint={t("positionHint")}
          value={draft.position}
          min={-1_000_000}
          max={1_000_000}
          fault={fault("position")}
          onChange={(position) => onChange({ ...draft, position: position ?? 0 }, "position")}
        />
        <NumberField
          label={t("refresh")}
          hint={t("refreshHint")}
          value={draft.refreshSeconds}
          min={10}
          max={86_400}
          isOptional
          fault={fault("refreshSeconds")}
          onChange={(refreshSeconds) => onChange({ ...draft, refreshSeconds }, "refreshSeconds")}
        />
      </LockedFields>
      {id !== null && <BoardActions {...{ id, draft, isLocked, onDeleted }} />}
    </div>
  );
}

interface BoardActionsProps {
  readonly id: string;
  readonly draft: Draft;
  readonly isLocked: boolean;
  /** What is not saved may be lost. */
  readonly onDeleted: () => void;
}

const nameMax = 100;

/** Copies or deletes a stored board. The copy is the board as it is shown, without roles. */
function BoardActions({ id, draft, isLocked, onDeleted }: BoardActionsProps) {
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
        <ToolButton kind="danger" disabled={isLocked} onClick={() => setDeleting(true)}>
          <Trash2 size={14} aria-hidden="true" />
          {t("deleteBoard")}
        </ToolButton>
      </div>
      {isDeleting && (
        <DeleteReadingDialog
          api={dashboardApi}
          entry={{
            ...{ id, name, description, icon, position, roleIds },
            lost: [],
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
