import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { useTask } from "../../shell/use-task.ts";
import { PasswordField } from "../../ui/password-field.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { type Secret, useSecretChange } from "./secret-queries.ts";

interface SecretFormProps {
  /** Undefined for a new one. */
  readonly secret: Secret | undefined;
  readonly onClose: () => void;
}

/** Creates a secret, or replaces its value. A value that is stored is never shown again. */
export function SecretForm({ secret, onClose }: SecretFormProps) {
  const t = useTranslations("workflowSecrets");
  const words = useTranslations("manage");
  const onChange = useSecretChange();
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const [description, setDescription] = useState(secret?.description ?? "");
  const task = useTask(async () => {
    if (secret === undefined) {
      await client.admin.post("/workflow-secrets", { data: { name, value, description } });
    } else {
      const path = { name: secret.name };
      const changed = {
        ...(value === "" ? {} : { value }),
        ...(description === secret.description ? {} : { description }),
      };
      await client.admin.patch("/workflow-secrets/{name}", { path, data: changed });
    }
    await onChange();
    onClose();
  }, ["/data/name", "/data/value", "/data/description"]);
  return (
    <FormDialog
      title={secret === undefined ? t("new") : t("edit", { name: secret.name })}
      submit={secret === undefined ? words("create") : words("save")}
      task={task}
      onClose={onClose}
    >
      {secret === undefined && (
        <TextField
          label={words("name")}
          name="name"
          autoComplete="off"
          value={name}
          onChange={(text) => setName(text.toUpperCase())}
          hint={t("nameHint")}
          fault={task.faultAt("/data/name")}
          isFirst
        />
      )}
      <PasswordField
        label={secret === undefined ? t("value") : t("newValue")}
        autoComplete="new-password"
        value={value}
        onChange={setValue}
        hint={secret === undefined ? t("valueHint") : t("newValueHint")}
        fault={task.faultAt("/data/value")}
        words={{ show: t("show"), hide: t("hide") }}
        isFirst={secret !== undefined}
      />
      <TextArea
        label={words("description")}
        name="description"
        value={description}
        onChange={setDescription}
        fault={task.faultAt("/data/description")}
      />
    </FormDialog>
  );
}
