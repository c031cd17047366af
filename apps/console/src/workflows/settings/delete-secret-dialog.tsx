import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { ConfirmTask } from "../../shell/confirm-task.tsx";
import { useTask } from "../../shell/use-task.ts";
import { type Secret, useSecretChange } from "./secret-queries.ts";

interface DeleteSecretDialogProps {
  readonly secret: Secret;
  readonly onClose: () => void;
}

/** Says which workflows use a secret, and deletes it. */
export function DeleteSecretDialog({ secret, onClose }: DeleteSecretDialogProps) {
  const t = useTranslations("workflowSecrets");
  const onChange = useSecretChange();
  const task = useTask(async () => {
    await client.admin.delete("/workflow-secrets/{name}", { path: { name: secret.name } });
    await onChange();
    onClose();
  }, []);
  return (
    <ConfirmTask title={t("deleteTitle", { name: secret.name })} task={task} onClose={onClose}>
      <p>{t("deleteText")}</p>
      {secret.usedBy.length > 0 && (
        <p className="mt-2 wrap-anywhere">
          {t("deleteUsed", { count: secret.usedBy.length, slugs: secret.usedBy.join(", ") })}
        </p>
      )}
    </ConfirmTask>
  );
}
