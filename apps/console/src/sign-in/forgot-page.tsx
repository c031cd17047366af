import { useState } from "react";
import { useTranslations } from "use-intl";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { TextField } from "../ui/text-field.tsx";
import { accountApi } from "./account-api.ts";
import { AuthPage } from "./auth-page.tsx";
import { BackToSignIn } from "./back-to-sign-in.tsx";

/** Requests a mail with a link to set a new password. The page says the same whether or not the account exists. */
export function ForgotPage() {
  const t = useTranslations("forgot");
  const [email, setEmail] = useState("");
  const [sentTo, setSentTo] = useState<string>();
  const task = useTask(async () => {
    await accountApi.forgot(email);
    setSentTo(email);
  }, ["/email"]);
  if (sentTo !== undefined) {
    return (
      <AuthPage title={t("sentTitle")} aside={<BackToSignIn />}>
        <Notice kind="info">{t("sentText", { email: sentTo })}</Notice>
      </AuthPage>
    );
  }
  return (
    <AuthPage title={t("title")} text={t("text")} aside={<BackToSignIn />}>
      <form noValidate onSubmit={task.submit} className="grid gap-4">
        {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
        <TextField
          label={t("email")}
          name="email"
          type="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          fault={task.faultAt("/email")}
          isFirst
        />
        <Button type="submit" kind="primary" isWide isBusy={task.isBusy}>
          {t("submit")}
        </Button>
      </form>
    </AuthPage>
  );
}
