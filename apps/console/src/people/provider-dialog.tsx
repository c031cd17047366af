import { useState } from "react";
import { useTranslations } from "use-intl";
import { carryOver, changedFields, isChangedMeanwhile } from "../shell/changed-fields.ts";
import { client } from "../shell/client.ts";
import { FormDialog } from "../shell/form-dialog.tsx";
import { onPresentVersion } from "../shell/present-version.ts";
import { useTask } from "../shell/use-task.ts";
import { Notice } from "../ui/notice.tsx";
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
      const isRefused = await onPresentVersion(async () => {
        const answer = await client.admin.get("/auth-providers/{id}", { path });
        const now = providerFormOf(answer.data);
        if (isChangedMeanwhile(base, now, changes)) {
          setForm(carryOver(form, base, now));
          setBase(now);
          return true;
        }
        const data = providerChanges(changes);
        await client.admin.patch("/auth-providers/{id}", { path, data, ifMatch: answer.etag });
        return false;
      });
      setChanged(isRefused);
      if (isRefused) return;
    }
    await onChange();
    onClose();
  }, providerPointers);
  return (
    <FormDialog
      title={provider === undefined ? t("new") : t("editTitle", { name: provider.name })}
      onClose={onClose}
      task={task}
      submit={provider === undefined ? words("create") : words("save")}
    >
      {isChanged && (
        <Notice kind="danger">
          {t("changed", { name: base.name, issuer: base.issuer, clientId: base.clientId })}
        </Notice>
      )}
      <ProviderFields form={form} onChange={setForm} task={task} isNew={provider === undefined} />
    </FormDialog>
  );
}
