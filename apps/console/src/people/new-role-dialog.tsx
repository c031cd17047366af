import { useState } from "react";
import { useTranslations } from "use-intl";
import { useOpen } from "../shell/app-link.tsx";
import { client } from "../shell/client.ts";
import { FormDialog } from "../shell/form-dialog.tsx";
import { useTask } from "../shell/use-task.ts";
import { namedPointers } from "./named-fields.tsx";
import { usePeopleChange } from "./people-queries.ts";
import { RoleFields, type RoleForm } from "./role-fields.tsx";

const blank: RoleForm = { name: "", description: "", apiAccess: true, tokenCreation: false };

/** Creates a role without members and grants, and opens its page. */
export function NewRoleDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations("roles");
  const words = useTranslations("manage");
  const open = useOpen();
  const onChange = usePeopleChange();
  const [form, setForm] = useState(blank);
  const task = useTask(async () => {
    const { data } = await client.admin.post("/roles", { data: form });
    await onChange();
    open(`/admin/people/roles/${data.id}`);
  }, namedPointers);
  return (
    <FormDialog title={t("new")} onClose={onClose} task={task} submit={words("create")}>
      <RoleFields form={form} onChange={setForm} task={task} isFirst />
      <p className="text-2 text-ink-2">{t("newText")}</p>
    </FormDialog>
  );
}
