import { useState } from "react";
import { useTranslations } from "use-intl";
import { dropFragment, fragmentParameter } from "../shell/fragment.ts";
import { homePath } from "../shell/paths.ts";
import { currentSession } from "../shell/session.ts";
import { continueAt, signInAddress } from "../shell/sign-in-address.ts";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { linkClasses } from "../ui/classes.ts";
import { Notice } from "../ui/notice.tsx";
import { accountApi } from "./account-api.ts";
import { AuthPage } from "./auth-page.tsx";
import { LinkFailure } from "./back-to-sign-in.tsx";

/**
 * Confirms an address, or a changed one, by the link of a mail. It waits for a press: programs that scan mails open
 * links too, and opening a link must change nothing.
 */
export function VerifyPage() {
  const t = useTranslations("verify");
  const [token] = useState(() => fragmentParameter("token"));
  const [isDone, setDone] = useState(false);
  const task = useTask(async () => {
    await accountApi.verify(token ?? "");
    dropFragment();
    if (currentSession() !== null) {
      setDone(true);
      return;
    }
    continueAt(signInAddress({ done: "verified" }));
  }, []);
  if (token === null || task.faultAt("/token") !== undefined) return <LinkFailure kind="verify" />;
  if (isDone) {
    return (
      <AuthPage title={t("doneTitle")}>
        <Notice kind="ok">{t("done")}</Notice>
        <a href={homePath} className={linkClasses}>
          {t("continue")}
        </a>
      </AuthPage>
    );
  }
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
