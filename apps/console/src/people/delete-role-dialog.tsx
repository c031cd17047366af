import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useOpen } from "../shell/app-link.tsx";
import { client } from "../shell/client.ts";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import { useTask } from "../shell/use-task.ts";
import { type Role, usePeopleChange } from "./people-queries.ts";

const countedMax = 1000;

/** Says how many members and grants a role has, and deletes it with them. */
export function DeleteRoleDialog(props: { readonly role: Role; readonly onClose: () => void }) {
  const t = useTranslations("roles");
  const open = useOpen();
  const onChange = usePeopleChange();
  const { role, onClose } = props;
  const { data: grants } = useQuery({
    queryKey: ["people", "role-grants", role.id],
    queryFn: async ({ signal }) => {
      const query = { roleId: role.id, limit: countedMax };
      return (await client.admin.get("/grants", { query, signal })).data.length;
    },
  });
  const task = useTask(async () => {
    await client.admin.delete("/roles/{id}", { path: { id: role.id } });
    open("/admin/people/roles");
    await onChange();
  }, []);
  return (
    <ConfirmTask
      title={t("deleteTitle", { name: role.name })}
      confirm={t("deleteConfirm")}
      task={task}
      onClose={onClose}
    >
      <div className="grid gap-2">
        <p>{t("deleteMembers", { count: role.memberCount })}</p>
        {grants !== undefined && <p>{t("deleteGrants", { count: grants })}</p>}
        <p>{t("deleteText")}</p>
      </div>
    </ConfirmTask>
  );
}
