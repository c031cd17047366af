import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import { useTask } from "../shell/use-task.ts";
import { type User, usePeopleChange } from "./people-queries.ts";

/** Says what deactivation or activation does, and does it. */
export function UserStateDialog(props: {
  readonly user: User;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const t = useTranslations("people");
  const onChange = usePeopleChange();
  const { user, name, onClose } = props;
  const path = { id: user.id };
  const deed = user.active ? "deactivate" : "activate";
  const task = useTask(async () => {
    if (user.active) await client.admin.post("/users/{id}/deactivate", { path });
    else await client.admin.post("/users/{id}/activate", { path });
    await onChange();
    onClose();
  }, []);
  return (
    <ConfirmTask
      title={t(`${deed}Title`, { name })}
      confirm={t(deed)}
      failure={task.code === "CONFLICT" ? t("lastAdministrator") : undefined}
      task={task}
      onClose={onClose}
    >
      {t(`${deed}Text`)}
    </ConfirmTask>
  );
}
