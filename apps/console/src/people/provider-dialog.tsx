import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { carryOver, changedFields, isChangedMeanwhile } from "./changed-fields.ts";
import type { Provider } from "./people-queries.ts";
import { usePeopleChange } from "./people-queries.ts";
import { ProviderFields, providerPointers } from "./provider-fields.tsx";
import { blankProvider, providerChanges, providerFormOf } from "./provider-form.ts";

interface ProviderDialogProps {
  /** The provider to change; a new one without. */
  readonly provider: Provider | undefined;
  readonly onClose: () => void;
}

/** Adds a provider, or changes one. The client secret is never shown; an empty one stays as it is. */
export function ProviderDialog({ provider, onClose }: ProviderDialogProps) {
  const t = useTranslations("providers");
  const words = useTranslations("manage");
  const onChange = usePeopleChange();
  const [base, setBase] = useState(() =>
    provider === undefined ? blankProvider : providerFormOf(provider),
  );
  const [form, setForm] = useState(base);
  const [isChanged, setChanged] = useState(false);
  const task = useTask(async () => {
    if (provider === undefined) {
      const { name = "", clientId = "", clientSecret = "", ...rest } = providerChanges(form);
      const key = form.key.trim();
      const data = { key, kind: form.kind, name, clientId, clientSecret, ...rest };
      await client.admin.post("/auth-providers", { data });
    } else {
      const path = { id: provider.id };
      const changes = changedFields(base, form);
      const now = providerFormOf((await client.admin.get("/auth-providers/{id}", { path })).data);
      setChanged(isChangedMeanwhile(base, now, changes));
      if (isChangedMeanwhile(base, now, changes)) {
        setForm(carryOver(form, base, now));
        setBase(now);
        return;
      }
      await client.admin.patch("/auth-providers/{id}", { path, data: providerChanges(changes) });
    }
    await onChange();
    onClose();
  }, providerPointers);
  return (
    <Dialog
      title={provider === undefined ? t("new") : t("editTitle", { name: provider.name })}
      onClose={onClose}
    >
      <form noValidate onSubmit={task.submit} className="grid gap-4">
        {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
        {isChanged && (
          <Notice kind="danger">
            {t("changed", { name: base.name, issuer: base.issuer, clientId: base.clientId })}
          </Notice>
        )}
        <ProviderFields form={form} onChange={setForm} task={task} isNew={provider === undefined} />
        <DialogActions>
          <Button onPress={onClose}>{words("cancel")}</Button>
          <Button type="submit" kind="primary" isBusy={task.isBusy}>
            {provider === undefined ? words("create") : words("save")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
