import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { ConfirmTask } from "../../shell/confirm-task.tsx";
import { navigationQuery } from "../../shell/navigation.ts";
import { renew } from "../../shell/renew.ts";
import { rolesQuery } from "../../shell/roles-query.ts";
import { useTask } from "../../shell/use-task.ts";
import { type ReadingApi, type ReadingEntry, readingsKey } from "./reading-api.ts";

interface DeleteReadingDialogProps {
  readonly api: ReadingApi;
  readonly entry: ReadingEntry;
  readonly onDeleted?: () => void;
  readonly onClose: () => void;
}

/** Says who loses a DataView or dashboard and what is lost with it, and deletes it. */
export function DeleteReadingDialog(props: DeleteReadingDialogProps) {
  const { api, entry, onDeleted, onClose } = props;
  const t = useTranslations("readings");
  const queries = useQueryClient();
  const { data: roles } = useQuery(rolesQuery);
  const members = roles
    ?.filter(({ id }) => entry.roleIds.includes(id))
    .map(({ name, memberCount }) => t("losingRole", { name, count: memberCount }));
  const task = useTask(async () => {
    await api.remove(entry.id);
    onClose();
    onDeleted?.();
    await renew(queries, { queryKey: readingsKey(api.kind) });
    await queries.invalidateQueries({ queryKey: navigationQuery.queryKey });
  }, []);
  return (
    <ConfirmTask title={t("deleteTitle", { name: entry.name })} task={task} onClose={onClose}>
      <div className="grid gap-2">
        {entry.panelCount !== null && <p>{t("deletePanels", { count: entry.panelCount })}</p>}
        {members?.length === 0 && <p>{t("deleteNobody")}</p>}
        {members !== undefined && members.length > 0 && (
          <>
            <p>{t("deleteRoles")}</p>
            <ul className="list-disc pl-5">
              {members.map((text) => (
                <li key={text} dir="auto">
                  {text}
                </li>
              ))}
            </ul>
          </>
        )}
        <p>{t(`${api.kind}.deleteText`)}</p>
      </div>
    </ConfirmTask>
  );
}
