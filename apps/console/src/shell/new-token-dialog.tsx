import { useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { SelectField } from "../ui/select.tsx";
import { TextField } from "../ui/text-field.tsx";
import { client } from "./client.ts";
import { SecretDialog } from "./secret-dialog.tsx";
import { useTask } from "./use-task.ts";

/** Days; the first leaves the choice to the setting of the service. */
const lifetimes = ["", "7", "30", "90", "365"] as const;

/** Creates a token and shows its secret once. */
export function NewTokenDialog(props: {
  readonly isAdministrator: boolean;
  /** Called with the secret of the new token. */
  readonly onMade: (secret: string) => unknown;
  readonly onClose: () => void;
}) {
  const t = useTranslations("account.tokens");
  const words = useTranslations("account");
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [plane, setPlane] = useState<"api" | "admin">("api");
  const [lifetime, setLifetime] = useState<(typeof lifetimes)[number]>("90");
  const [secret, show] = useState<string>();
  const task = useTask(async () => {
    const days = lifetime === "" ? {} : { lifetime: Number(lifetime) };
    const { data } = await client.api.post("/auth/tokens", {
      body: { name, description, plane, ...days },
    });
    show(data.secret);
    await props.onMade(data.secret);
  }, ["/name", "/description"]);
  if (secret !== undefined) {
    return <SecretDialog name={name} secret={secret} onClose={props.onClose} />;
  }
  return (
    <Dialog title={t("new")} onClose={props.onClose}>
      <form noValidate onSubmit={task.submit} className="grid gap-4">
        {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
        <TextField
          label={t("name")}
          name="name"
          autoComplete="off"
          value={name}
          onChange={setName}
          hint={t("nameHint")}
          fault={task.faultAt("/name") === undefined ? undefined : t("nameFault")}
          isFirst
        />
        <TextField
          label={t("description")}
          name="description"
          autoComplete="off"
          value={description}
          onChange={setDescription}
          fault={task.faultAt("/description")}
        />
        {props.isAdministrator && (
          <SelectField
            label={t("plane")}
            value={plane}
            options={(["api", "admin"] as const).map((value) => ({
              value,
              label: t(`planes.${value}`),
            }))}
            onChange={setPlane}
          />
        )}
        <SelectField
          label={t("lifetime")}
          value={lifetime}
          options={lifetimes.map((value) => ({
            value,
            label: value === "" ? t("lifetimeDefault") : t("days", { count: Number(value) }),
          }))}
          onChange={setLifetime}
        />
        <p className="text-2 text-ink-2">{t("rights")}</p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onPress={props.onClose}>{words("cancel")}</Button>
          <Button type="submit" kind="primary" isBusy={task.isBusy}>
            {t("create")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
