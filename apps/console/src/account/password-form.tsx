import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { NewPasswordField } from "../shell/new-password-field.tsx";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { panelClasses } from "../ui/section.tsx";
import { accountQuery, sessionsQuery } from "./account-queries.ts";
import { CurrentPassword } from "./current-password.tsx";

/** Changes the password; the other sessions end. */
export function PasswordForm() {
  const t = useTranslations("account");
  const cache = useQueryClient();
  const { data: account } = useQuery(accountQuery);
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const [isChanged, setChanged] = useState(false);
  const task = useTask(async () => {
    setChanged(false);
    await client.api.post("/auth/password/change", { body: { currentPassword, newPassword } });
    setCurrent("");
    setNew("");
    setChanged(true);
    await cache.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  }, ["/currentPassword", "/newPassword"]);
  return (
    <form noValidate onSubmit={task.submit} className={panelClasses}>
      {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
      {isChanged && <Notice kind="ok">{t("password.changed")}</Notice>}
      <CurrentPassword
        email={account?.email}
        value={currentPassword}
        onChange={setCurrent}
        isWrong={task.faultAt("/currentPassword") !== undefined}
      />
      <NewPasswordField
        label={t("password.new")}
        value={newPassword}
        onChange={setNew}
        about={[account?.email ?? "", account?.name ?? ""]}
        fault={task.faultAt("/newPassword")}
      />
      <div>
        <Button type="submit" kind="primary" isBusy={task.isBusy}>
          {t("password.submit")}
        </Button>
      </div>
    </form>
  );
}
