import { useState } from "react";
import { useTranslations } from "use-intl";
import { useOpen } from "../shell/app-link.tsx";
import { client } from "../shell/client.ts";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { usePeopleChange } from "./people-queries.ts";
import { RoleFields, type RoleForm, rolePointers } from "./role-fields.tsx";

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
  }, rolePointers);
  return (
    <Dialog title={t("new")} onClose={onClose}>
      <form noValidate onSubmit={task.submit} className="grid gap-4">
        {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
        <RoleFields form={form} onChange={setForm} task={task} isFirst />
        <p className="text-2 text-ink-2">{t("newText")}</p>
        <DialogActions>
          <Button onPress={onClose}>{words("cancel")}</Button>
          <Button type="submit" kind="primary" isBusy={task.isBusy}>
            {words("create")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
