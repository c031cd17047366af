import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { dropFragment, fragmentParameter } from "../shell/fragment.ts";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { accountApi } from "./account-api.ts";
import { AuthPage } from "./auth-page.tsx";
import { LinkFailure } from "./link-failure.tsx";

/**
 * Confirms an address, or a changed one, by the link of a mail. It waits for a press: programs that scan mails open
 * links too, and opening a link must change nothing.
 */
export function VerifyPage() {
  const t = useTranslations("verify");
  const [token] = useState(() => fragmentParameter("token"));
  const navigate = useNavigate();
  const task = useTask(async () => {
    await accountApi.verify(token ?? "");
    dropFragment();
    await navigate({ to: "/admin/auth/sign-in", search: { done: "verified" }, replace: true });
  }, []);
  if (token === null || task.faultAt("/token") !== undefined) return <LinkFailure kind="verify" />;
  return (
    <AuthPage title={t("title")} text={t("text")}>
      <form noValidate onSubmit={task.submit} className="grid gap-4">
        {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
        <Button type="submit" kind="primary" isWide isBusy={task.isBusy}>
          {t("submit")}
        </Button>
      </form>
    </AuthPage>
  );
}
