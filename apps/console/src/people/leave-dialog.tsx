import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { useTask } from "../shell/use-task.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { usePeopleChange } from "./people-queries.ts";

/** A person in a role. */
export interface Membership {
  readonly person: { readonly id: string; readonly name: string };
  readonly role: { readonly id: string; readonly name: string };
}

/** Removes a person from a role, after a question. */
export function LeaveDialog(props: {
  readonly membership: Membership;
  readonly onClose: () => void;
}) {
  const t = useTranslations("people");
  const words = useTranslations("manage");
  const onChange = usePeopleChange();
  const { membership, onClose } = props;
  const { person, role } = membership;
  const task = useTask(async () => {
    const path = { id: role.id, userId: person.id };
    try {
      await client.admin.delete("/roles/{id}/members/{userId}", { path });
    } finally {
      await onChange();
    }
    onClose();
  }, []);
  const known = { NOT_FOUND: t("leftAlready"), CONFLICT: t("lastAdministrator") };
  const code = task.code === "NOT_FOUND" || task.code === "CONFLICT" ? task.code : undefined;
  const failure = code === undefined ? task.failure : known[code];
  return (
    <ConfirmDialog
      title={t("leaveTitle", { name: person.name, role: role.name })}
      confirm={t("remove")}
      cancel={words("cancel")}
      failure={failure}
      isBusy={task.isBusy}
      onConfirm={task.run}
      onClose={onClose}
    >
      {t("leaveText")}
    </ConfirmDialog>
  );
}
