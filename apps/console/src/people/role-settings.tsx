import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { useRecordForm } from "../shell/use-record-form.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { panelClasses } from "../ui/section.tsx";
import { namedPointers } from "./named-fields.tsx";
import { type Role, roleQuery, usePeopleChange } from "./people-queries.ts";
import { RoleFields, type RoleForm } from "./role-fields.tsx";

/** Name, description and rights of a role. Only fields that differ are sent. */
export function RoleSettings({ role }: { readonly role: Role }) {
  const t = useTranslations("roles");
  const words = useTranslations("manage");
  const cache = useQueryClient();
  const onChange = usePeopleChange();
  const path = { id: role.id };
  const { base, form, setForm, outcome, task } = useRecordForm({
    record: formOf(role),
    read: async () => {
      const { data, etag } = await client.admin.get("/roles/{id}", { path });
      cache.setQueryData(roleQuery(role.id).queryKey, data);
      return { fields: formOf(data), etag };
    },
    write: async (data, ifMatch) => {
      const answer = await client.admin.patch("/roles/{id}", { path, data, ifMatch });
      await onChange();
      return formOf(answer.data);
    },
    pointers: namedPointers,
  });
  const losesAccess = base.apiAccess && !form.apiAccess;
  return (
    <form noValidate onSubmit={task.submit} className={`${panelClasses} max-w-200`}>
      {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
      {outcome === "changed" && (
        <Notice kind="danger">{t("changed", { name: base.name, text: base.description })}</Notice>
      )}
      <RoleFields
        form={form}
        onChange={setForm}
        task={task}
        isAdministrators={role.isAdministrators}
      />
      {losesAccess && <Notice kind="info">{t("losesAccess", { count: role.memberCount })}</Notice>}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" kind="primary" isBusy={task.isBusy}>
          {words("save")}
        </Button>
        {outcome === "saved" && <Notice kind="ok">{words("saved")}</Notice>}
      </div>
    </form>
  );
}

function formOf({ name, description, apiAccess, tokenCreation }: Role): RoleForm {
  return { name, description, apiAccess, tokenCreation };
}
