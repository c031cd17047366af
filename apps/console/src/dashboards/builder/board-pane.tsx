import { useTranslations } from "use-intl";
import { IconField } from "../../records/saved/icon-field.tsx";
import { RolesField } from "../../records/saved/roles-field.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { BoardActions } from "./board-actions.tsx";
import type { Draft } from "./draft.ts";
import { boardFault, type DraftFault } from "./draft-faults.ts";
import { NumberField } from "./number-field.tsx";

interface BoardPaneProps {
  /** Null for a new board. */
  readonly id: string | null;
  readonly draft: Draft;
  readonly faults: readonly DraftFault[];
  readonly onChange: (draft: Draft, subject?: string) => void;
  readonly onDeleted: () => void;
}

/** The board itself: its name, who may open it, and its place in the navigation. */
export function BoardPane({ id, draft, faults, onChange, onDeleted }: BoardPaneProps) {
  const t = useTranslations("dashboardBuilder");
  const words = useTranslations("manage");
  const fault = (member: keyof Draft) => boardFault(faults, draft, member);
  return (
    <div className="grid content-start gap-5">
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
      {id !== null && <BoardActions {...{ id, draft, onDeleted }} />}
    </div>
  );
}
