import { useState } from "react";
import { useTranslations } from "use-intl";
import { useOpen } from "../shell/app-link.tsx";
import { client } from "../shell/client.ts";
import { FormDialog } from "../shell/form-dialog.tsx";
import { MailLanguageSelect } from "../shell/mail-language-select.tsx";
import { NewPasswordField } from "../shell/new-password-field.tsx";
import { TimeZoneField } from "../shell/time-zone-field.tsx";
import { useTask } from "../shell/use-task.ts";
import { EmailField, NameField } from "./account-fields.tsx";
import { usePeopleChange } from "./people-queries.ts";
import { useUserFaults } from "./use-user-faults.ts";

/** Creates a user without roles, and opens their page. */
export function NewUserDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations("people");
  const words = useTranslations("manage");
  const open = useOpen();
  const onChange = usePeopleChange();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [timeZone, setTimeZone] = useState("");
  const [language, setLanguage] = useState("");
  const task = useTask(async () => {
    const { data } = await client.admin.post("/users", {
      data: {
        email: email.trim(),
        name: name.trim(),
        ...(password === "" ? {} : { password }),
        ...(timeZone.trim() === "" ? {} : { timeZone: timeZone.trim() }),
        ...(language === "" ? {} : { language }),
      },
    });
    await onChange();
    open(`/admin/people/users/${data.id}`);
  }, ["/data/email", "/data/name", "/data/password", "/data/timeZone"]);
  const faults = useUserFaults(task);
  return (
    <FormDialog title={t("new")} onClose={onClose} task={task} submit={words("create")}>
      <EmailField
        value={email}
        onChange={setEmail}
        hint={t("vouched")}
        fault={faults.email}
        isFirst
      />
      <NameField value={name} onChange={setName} fault={faults.name} />
      <NewPasswordField
        label={t("password")}
        value={password}
        onChange={setPassword}
        about={[email, name]}
        fault={task.faultAt("/data/password")}
      />
      <TimeZoneField
        label={t("timeZone")}
        hint={t("timeZoneHint")}
        fault={faults.timeZone}
        value={timeZone}
        onChange={setTimeZone}
      />
      <MailLanguageSelect
        label={t("language")}
        anyLabel={t("languageAny")}
        value={language}
        onChange={setLanguage}
      />
      <p className="text-2 text-ink-2">{t("newText")}</p>
    </FormDialog>
  );
}
