import { RowhouseError } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { panelClasses } from "../ui/section.tsx";
import { TextField } from "../ui/text-field.tsx";
import { accountQuery } from "./account-queries.ts";
import { CurrentPassword } from "./current-password.tsx";

/** Requests the mail whose link changes the address. */
export function AddressForm() {
  const t = useTranslations("account");
  const { data: account } = useQuery(accountQuery);
  const [newEmail, setEmail] = useState("");
  const [currentPassword, setCurrent] = useState("");
  const [sentTo, setSentTo] = useState<string>();
  const [isSame, setSame] = useState(false);
  const task = useTask(async () => {
    setSentTo(undefined);
    setSame(false);
    try {
      await client.api.post("/auth/email/change", { body: { currentPassword, newEmail } });
    } catch (error) {
      const isOwn = newEmail.trim().toLowerCase() === account?.email.toLowerCase();
      setSame(isOwn && error instanceof RowhouseError && error.faultsByPath.has("/newEmail"));
      throw error;
    }
    setSentTo(newEmail);
    setEmail("");
    setCurrent("");
  }, ["/currentPassword", "/newEmail"]);
  const fault = isSame ? t("address.same") : t("address.fault");
  return (
    <form noValidate onSubmit={task.submit} className={panelClasses}>
      {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
      {sentTo !== undefined && <Notice kind="ok">{t("address.sent", { email: sentTo })}</Notice>}
      <div>
        <p className="text-2 text-ink-2">{t("address.current")}</p>
        <p className="font-medium wrap-anywhere">{account?.email}</p>
      </div>
      <TextField
        label={t("address.new")}
        name="email"
        type="email"
        autoComplete="email"
        value={newEmail}
        onChange={setEmail}
        fault={task.faultAt("/newEmail") === undefined ? undefined : fault}
      />
      <CurrentPassword
        label={t("address.password")}
        email={account?.email}
        value={currentPassword}
        onChange={setCurrent}
        isWrong={task.faultAt("/currentPassword") !== undefined}
      />
      <div>
        <Button type="submit" isBusy={task.isBusy}>
          {t("address.submit")}
        </Button>
      </div>
    </form>
  );
}
