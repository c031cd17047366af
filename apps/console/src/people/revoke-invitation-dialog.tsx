import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { useTask } from "../shell/use-task.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { usePeopleChange } from "./people-queries.ts";

/** Revokes an invitation, after a question. */
export function RevokeInvitationDialog(props: {
  readonly invitation: { readonly id: string; readonly email: string };
  readonly onClose: () => void;
}) {
  const t = useTranslations("invitations");
  const words = useTranslations("manage");
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
    <ConfirmDialog
      title={t("revokeTitle", { email: invitation.email })}
      confirm={t("revokeConfirm")}
      cancel={words("cancel")}
      failure={task.code === "CONFLICT" ? t("usedMeanwhile") : task.failure}
      isBusy={task.isBusy}
      onConfirm={task.run}
      onClose={onClose}
    >
      {t("revokeText")}
    </ConfirmDialog>
  );
}
