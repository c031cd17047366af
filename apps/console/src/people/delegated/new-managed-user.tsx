import { useState } from "react";
import { useTranslations } from "use-intl";
import { useOpen } from "../../shell/app-link.tsx";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { useTask } from "../../shell/use-task.ts";
import { EmailField, NameField } from "../account-fields.tsx";
import { usePeopleChange } from "../people-queries.ts";
import { useUserFaults } from "../use-user-faults.ts";
import type { ManagedTable } from "./managed-tables.ts";
import { managedPath, userRows } from "./managed-users.ts";

/** Creates an account by a grant on `system.users`, and opens its page. */
export function NewManagedUser(props: {
  readonly users: ManagedTable;
  readonly onClose: () => void;
}) {
  const t = useTranslations("people");
  const words = useTranslations("manage");
  const open = useOpen();
  const onChange = usePeopleChange();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const hasName = props.users.canSet("name", "creatable");
  const task = useTask(async () => {
    const data = { email: email.trim(), ...(hasName ? { name: name.trim() } : {}) };
    const { row } = await userRows.create(data);
    await onChange();
    // Without a grant to read it, the new account is not among those of the list either.
    if (row === null) props.onClose();
    else open(managedPath(String(row.id)));
  }, ["/data/email", "/data/name"]);
  const faults = useUserFaults(task);
  return (
    <FormDialog title={t("new")} onClose={props.onClose} task={task} submit={words("create")}>
      <EmailField value={email} onChange={setEmail} fault={faults.email} isFirst />
      {hasName && <NameField value={name} onChange={setName} fault={faults.name} />}
      <p className="text-2 text-ink-2">{t("managedNewText")}</p>
    </FormDialog>
  );
}
