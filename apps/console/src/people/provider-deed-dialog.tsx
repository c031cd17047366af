import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import { useTask } from "../shell/use-task.ts";
import type { Provider } from "./people-queries.ts";
import { usePeopleChange } from "./people-queries.ts";

/** Something to do with a provider, which a dialog confirms first. */
export type ProviderDeed = "enable" | "disable" | "delete";

/** Says what will be done with a provider, and does it. */
export function ProviderDeedDialog(props: {
  readonly provider: Provider;
  readonly deed: ProviderDeed;
  readonly onClose: () => void;
}) {
  const t = useTranslations("providers");
  const words = useTranslations("manage");
  const onChange = usePeopleChange();
  const { provider, deed, onClose } = props;
  const path = { id: provider.id };
  const task = useTask(async () => {
    try {
      if (deed === "delete") await client.admin.delete("/auth-providers/{id}", { path });
      else {
        const data = { enabled: deed === "enable" };
        await client.admin.patch("/auth-providers/{id}", { path, data });
      }
    } finally {
      await onChange();
    }
    onClose();
  }, []);
  return (
    <ConfirmTask
      title={t(`${deed}Title`, { name: provider.name })}
      confirm={deed === "delete" ? words("delete") : t(deed)}
      failure={task.code === "NOT_FOUND" ? t("gone") : undefined}
      task={task}
      onClose={onClose}
    >
      {t(`${deed}Text`)}
    </ConfirmTask>
  );
}
