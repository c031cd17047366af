import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import { useTask } from "../shell/use-task.ts";
import { usePeopleChange } from "./people-queries.ts";

/** Revokes an invitation, after a question. */
export function RevokeInvitationDialog(props: {
  readonly invitation: { readonly id: string; readonly email: string };
  readonly onClose: () => void;
}) {
  const t = useTranslations("invitations");
  const onChange = usePeopleChange();
  const { invitation, onClose } = props;
  const task = useTask(async () => {
    try {
      await client.admin.delete("/invitations/{id}", { path: { id: invitation.id } });
    } finally {
      await onChange();
    }
    onClose();
  }, []);
  return (
    <ConfirmTask
      title={t("revokeTitle", { email: invitation.email })}
      confirm={t("revokeConfirm")}
      failure={task.code === "CONFLICT" ? t("usedMeanwhile") : undefined}
      task={task}
      onClose={onClose}
    >
      {t("revokeText")}
    </ConfirmTask>
  );
}
