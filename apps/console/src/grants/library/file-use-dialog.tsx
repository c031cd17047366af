import { useState } from "react";
import { useTranslations } from "use-intl";
import { ConfirmTask } from "../../shell/confirm-task.tsx";
import type { Found } from "../../shell/find-box.tsx";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { RoleChoice } from "../../shell/role-choice.tsx";
import { SelectField } from "../../ui/select.tsx";
import { type FileRights, useStartFiles, useStopFiles } from "./file-use.ts";

/** Begins the use of files: opens the library, and to whom. */
export function StartFilesDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations("fileUse");
  const [roles, setRoles] = useState<readonly Found[]>([]);
  const [rights, setRights] = useState<FileRights>("READ");
  const task = useStartFiles(
    roles.map(({ id }) => id),
    rights,
    onClose,
  );
  return (
    <FormDialog title={t("start")} task={task} submit={t("start")} onClose={onClose}>
      <p className="text-ink-2">{t("startText")}</p>
      <RoleChoice chosen={roles} onChange={setRoles} hint={t("rolesHint")} fault={undefined} />
      {roles.length > 0 && (
        <SelectField
          label={t("rights")}
          value={rights}
          options={(["READ", "UPLOAD"] as const).map((value) => ({
            value,
            label: t(`choices.${value}`),
          }))}
          onChange={setRights}
          hint={t(`effects.${rights}`)}
        />
      )}
    </FormDialog>
  );
}

/** Ends the use of files after a confirmation. */
export function StopFilesDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations("fileUse");
  const task = useStopFiles(onClose);
  return (
    <ConfirmTask title={t("stopTitle")} task={task} confirm={t("stop")} onClose={onClose}>
      {t("stopText")}
    </ConfirmTask>
  );
}
