import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { homePath } from "../shell/home-path.ts";
import { startSession } from "../shell/session.ts";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { linkClasses } from "../ui/link-classes.ts";
import { Notice } from "../ui/notice.tsx";
import { PasswordField } from "../ui/password-field.tsx";
import { TextField } from "../ui/text-field.tsx";
import { accountApi } from "./account-api.ts";
import { AuthPage } from "./auth-page.tsx";
import { OtherWays } from "./other-ways.tsx";
import { ResendLink } from "./resend-link.tsx";
import { useWays } from "./use-ways.ts";

/** Sign-in with email and password, or through a provider. */
export function SignInPage() {
  const t = useTranslations("signIn");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [isKept, keep] = useState(false);
  const { return_to: returnTo = homePath, done } = useSearch({ from: "/admin/auth/sign-in" });
  const navigate = useNavigate();
  const ways = useWays();
  const task = useTask(async () => {
    startSession(await accountApi.signIn(email, password), isKept);
    await navigate({ href: returnTo, replace: true });
  }, []);
  const register = ways?.meta.registration === true && (
    <>
      {t("new")}{" "}
      <a href="/admin/auth/register" className={linkClasses}>
        {t("register")}
      </a>
    </>
  );
  return (
    <AuthPage title={t("title")} aside={register}>
      {done !== undefined && task.failure === undefined && (
        <Notice kind="ok">{t(`done.${done}`)}</Notice>
      )}
      <form noValidate onSubmit={task.submit} className="grid gap-4">
        {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
        {task.code === "EMAIL_NOT_VERIFIED" && <ResendLink email={email} />}
        <TextField
          label={t("email")}
          name="email"
          type="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          isFirst
        />
        <PasswordField
          label={t("password")}
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          words={{ show: t("show"), hide: t("hide") }}
          aside={
            <a href="/admin/auth/forgot" className={`${linkClasses} text-2`}>
              {t("forgot")}
            </a>
          }
        />
        <Checkbox label={t("keep")} isChecked={isKept} onChange={keep} />
        <Button type="submit" kind="primary" isWide isBusy={task.isBusy}>
          {t("submit")}
        </Button>
      </form>
      {ways !== undefined && <OtherWays providers={ways.data} returnTo={returnTo} />}
    </AuthPage>
  );
}
