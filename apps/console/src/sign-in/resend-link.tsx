import { useState } from "react";
import { useTranslations } from "use-intl";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { accountApi } from "./account-api.ts";

/** Sends the link that confirms an address again. */
export function ResendLink({ email }: { readonly email: string }) {
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
