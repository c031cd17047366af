import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { homePath } from "../shell/paths.ts";
import { startSession } from "../shell/session.ts";
import { continueAt, readSignInAddress } from "../shell/sign-in-address.ts";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { linkClasses } from "../ui/classes.ts";
import { Notice } from "../ui/notice.tsx";
import { PasswordField } from "../ui/password-field.tsx";
import { TextField } from "../ui/text-field.tsx";
import { accountApi, type OfferedProvider } from "./account-api.ts";
import { AuthPage } from "./auth-page.tsx";
import { useRead } from "./use-read.ts";

/** Sign-in with email and password, or through a provider. */
export function SignInPage() {
  const t = useTranslations("signIn");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [isKept, keep] = useState(false);
  const [{ returnTo = homePath, done }] = useState(() => readSignInAddress(location.search));
  // Email and password always work, so nothing waits for the others.
  const { data: ways } = useRead(accountApi.ways);
  const task = useTask(async () => {
    startSession(await accountApi.signIn(email, password), isKept);
    continueAt(returnTo);
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

/** Sends the link that confirms an address again. */
function ResendLink({ email }: { readonly email: string }) {
  const t = useTranslations("verify");
  const [isSent, setSent] = useState(false);
  const task = useTask(async () => {
    await accountApi.resend(email);
    setSent(true);
  }, []);
  if (isSent) return <Notice kind="ok">{t("sent")}</Notice>;
  return (
    <div className="grid gap-2">
      {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
      <Button isBusy={task.isBusy} isWide onPress={task.run}>
        {t("resend")}
      </Button>
    </div>
  );
}

/** Links to the providers. A provider's page is another document, so these are links and no requests. */
function OtherWays(props: {
  readonly providers: readonly OfferedProvider[];
  readonly returnTo: string;
}) {
  const t = useTranslations("signIn");
  if (props.providers.length === 0) return null;
  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-3 text-2 text-ink-2 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t("or")}
      </div>
      {props.providers.map(({ key, name }) => (
        <a
          key={key}
          href={client.auth.providerUrl(key, props.returnTo)}
          className="flex min-h-9 items-center justify-center rounded-control border border-line-strong px-3.5 py-1.5 text-center font-medium wrap-anywhere hover:bg-sunken"
        >
          {t("through", { name })}
        </a>
      ))}
    </div>
  );
}
