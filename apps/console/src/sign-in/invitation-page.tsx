import { RowhouseError } from "@rowhouse/client";
import { useCallback, useState } from "react";
import { useTranslations } from "use-intl";
import { dropFragment, fragmentParameter } from "../shell/fragment.ts";
import { NewPasswordField } from "../shell/new-password-field.tsx";
import { homePath } from "../shell/paths.ts";
import { startSession } from "../shell/session.ts";
import { continueAt } from "../shell/sign-in-address.ts";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { TextField } from "../ui/text-field.tsx";
import { accountApi } from "./account-api.ts";
import { AuthPage } from "./auth-page.tsx";
import { LinkFailure } from "./back-to-sign-in.tsx";
import { useRead } from "./use-read.ts";

/** Accepts an invitation by the link of its mail: a password, then the workspace. */
export function InvitationPage() {
  const t = useTranslations("invitation");
  const [token] = useState(() => fragmentParameter("token"));
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const task = useTask(async () => {
    startSession(await accountApi.acceptInvitation(token ?? "", password, name.trim()), false);
    dropFragment();
    continueAt(homePath);
  }, ["/password", "/name"]);
  const read = useCallback(
    async (signal: AbortSignal) =>
      token === null ? undefined : accountApi.readInvitation(token, signal),
    [token],
  );
  const { data: invited, error } = useRead(read);
  const isRefused = error instanceof RowhouseError && error.status === 400;
  if (token === null || isRefused || task.faultAt("/token") !== undefined) {
    return <LinkFailure kind="invitation" />;
  }
  return (
    <AuthPage
      title={t("title")}
      text={
        invited === undefined
          ? t("text")
          : t("from", {
              inviter: invited.inviter ?? t("nobody"),
              site: window.location.host,
              roles: invited.roles.join(", "),
              email: invited.email,
            })
      }
    >
      <form noValidate onSubmit={task.submit} className="grid gap-4">
        {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
        <TextField
          label={t("name")}
          name="name"
          autoComplete="name"
          value={name}
          onChange={setName}
          hint={t("nameHint")}
          fault={task.faultAt("/name")}
          isFirst
        />
        <NewPasswordField
          value={password}
          onChange={setPassword}
          about={[name]}
          fault={task.faultAt("/password")}
        />
        <Button type="submit" kind="primary" isWide isBusy={task.isBusy}>
          {t("submit")}
        </Button>
      </form>
    </AuthPage>
  );
}
