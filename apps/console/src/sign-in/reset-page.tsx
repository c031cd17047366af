import { useState } from "react";
import { useTranslations } from "use-intl";
import { dropFragment, fragmentParameter } from "../shell/fragment.ts";
import { NewPasswordField } from "../shell/new-password-field.tsx";
import { endSession } from "../shell/session.ts";
import { continueAt, signInAddress } from "../shell/sign-in-address.ts";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { accountApi } from "./account-api.ts";
import { AuthPage } from "./auth-page.tsx";
import { LinkFailure } from "./back-to-sign-in.tsx";

/** Sets a new password by the link of a mail. */
export function ResetPage() {
  const t = useTranslations("reset");
  const [token] = useState(() => fragmentParameter("token"));
  const [password, setPassword] = useState("");
  const task = useTask(async () => {
    await accountApi.reset(token ?? "", password);
    dropFragment();
    // The service has ended every session of the account.
    endSession();
    continueAt(signInAddress({ done: "reset" }));
  }, ["/password"]);
  if (token === null || task.faultAt("/token") !== undefined) return <LinkFailure kind="reset" />;
  return (
    <AuthPage title={t("title")} text={t("text")}>
      <form noValidate onSubmit={task.submit} className="grid gap-4">
        {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
        <NewPasswordField
          value={password}
          onChange={setPassword}
          about={[]}
          fault={task.faultAt("/password")}
        />
        <Button type="submit" kind="primary" isWide isBusy={task.isBusy}>
          {t("submit")}
        </Button>
      </form>
    </AuthPage>
  );
}
