import { useState } from "react";
import { useTranslations } from "use-intl";
import { useLanguage } from "../shell/language-provider.tsx";
import { NewPasswordField } from "../shell/new-password-field.tsx";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { TextField } from "../ui/text-field.tsx";
import { accountApi } from "./account-api.ts";
import { AuthPage } from "./auth-page.tsx";
import { BackToSignIn } from "./back-to-sign-in.tsx";

/** Creates an account. The page says the same whether or not the address is taken. */
export function RegisterPage() {
  const t = useTranslations("register");
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [sentTo, setSentTo] = useState<string>();
  const language = useLanguage();
  const task = useTask(async () => {
    await accountApi.register({ email, password, name, language });
    setSentTo(email);
  }, ["/email", "/password", "/name"]);
  if (sentTo !== undefined) {
    return (
      <AuthPage title={t("sentTitle")} aside={<BackToSignIn />}>
        <Notice kind="info">{t("sentText", { email: sentTo })}</Notice>
      </AuthPage>
    );
  }
  const failure = task.code === "NOT_FOUND" ? t("closed") : task.failure;
  return (
    <AuthPage title={t("title")} aside={<BackToSignIn />}>
      <form noValidate onSubmit={task.submit} className="grid gap-4">
        {failure !== undefined && <Notice kind="danger">{failure}</Notice>}
        <TextField
          label={t("name")}
          name="name"
          autoComplete="name"
          value={name}
          onChange={setName}
          fault={task.faultAt("/name")}
          isFirst
        />
        <TextField
          label={t("email")}
          name="email"
          type="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          fault={task.faultAt("/email")}
        />
        <NewPasswordField
          value={password}
          onChange={setPassword}
          about={[email, name]}
          fault={task.faultAt("/password")}
        />
        <Button type="submit" kind="primary" isWide isBusy={task.isBusy}>
          {t("submit")}
        </Button>
      </form>
    </AuthPage>
  );
}
