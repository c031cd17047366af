import { useTranslations } from "use-intl";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import { useTask } from "../shell/use-task.ts";
import { adminMemberships, type Membership, type Memberships } from "./memberships.ts";
import { usePeopleChange } from "./people-queries.ts";

/** Removes a person from a role, after a question. */
export function LeaveDialog(props: {
  readonly membership: Membership;
  /** The Admin API by default. */
  readonly by?: Memberships;
  readonly onClose: () => void;
}) {
  const t = useTranslations("people");
  const onChange = usePeopleChange();
  const { membership, by = adminMemberships, onClose } = props;
  const { person, role } = membership;
  const task = useTask(async () => {
    await by.remove(membership).finally(onChange);
    onClose();
  }, []);
  const known = { NOT_FOUND: t("leftAlready"), CONFLICT: t("lastAdministrator") };
  const code = task.code === "NOT_FOUND" || task.code === "CONFLICT" ? task.code : undefined;
  const failure = code === undefined ? task.failure : known[code];
  return (
    <ConfirmTask
      title={t("leaveTitle", { name: person.name, role: role.name })}
      confirm={t("remove")}
      failure={failure}
      task={task}
      onClose={onClose}
    >
      {t("leaveText")}
    </ConfirmTask>
  );
}
