import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import type { Found } from "../shell/find-box.tsx";
import { FormDialog } from "../shell/form-dialog.tsx";
import { MailLanguageSelect } from "../shell/mail-language-select.tsx";
import { RoleChoice } from "../shell/role-choice.tsx";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { EmailField, NameField } from "./account-fields.tsx";
import { usePeopleChange } from "./people-queries.ts";

/** Invites a person by mail, with the roles that they get when they accept. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations("invitations");
  const people = useTranslations("people");
  const words = useTranslations("manage");
  const onChange = usePeopleChange();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [language, setLanguage] = useState("");
  const [roles, setRoles] = useState<readonly Found[]>([]);
  const [sentTo, setSentTo] = useState<string>();
  const task = useTask(async () => {
    const { data } = await client.admin.post("/invitations", {
      data: {
        email: email.trim(),
        name: name.trim(),
        roleIds: roles.map(({ id }) => id),
        ...(language === "" ? {} : { language }),
      },
    });
    await onChange();
    setSentTo(data.email);
  }, ["/data/email", "/data/name", "/data/roleIds"]);
  const at = (pointer: string, text: string) =>
    task.faultAt(pointer) === undefined ? undefined : text;
  if (sentTo !== undefined) {
    return (
      <Dialog title={t("sentTitle")} onClose={onClose}>
        <Notice kind="ok">{t("sent", { email: sentTo })}</Notice>
        <p className="text-ink-2">{t("sentText")}</p>
        <DialogActions>
          <Button kind="primary" onPress={onClose}>
            {words("close")}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <FormDialog title={t("new")} onClose={onClose} task={task} submit={t("send")}>
      <EmailField
        value={email}
        onChange={setEmail}
        fault={at(
          "/data/email",
          task.code === "CONFLICT" ? people("emailTaken") : people("emailFault"),
        )}
        isFirst
      />
      <NameField
        value={name}
        onChange={setName}
        hint={t("nameHint")}
        fault={at("/data/name", people("nameFault"))}
      />
      <RoleChoice
        chosen={roles}
        onChange={setRoles}
        hint={t("rolesHint")}
        fault={at("/data/roleIds", t("rolesFault"))}
      />
      <MailLanguageSelect
        label={people("language")}
        anyLabel={t("languageAny")}
        value={language}
        onChange={setLanguage}
      />
      <p className="text-2 text-ink-2">{t("newText")}</p>
    </FormDialog>
  );
}
