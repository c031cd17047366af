import { RowhouseError } from "@rowhouse/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import { NewPasswordField } from "../shell/new-password-field.tsx";
import { type Task, useTask } from "../shell/use-task.ts";
import { useTitle } from "../shell/use-title.ts";
import { Button } from "../ui/button.tsx";
import { Entries, Entry } from "../ui/entries.tsx";
import { Notice } from "../ui/notice.tsx";
import { PasswordField } from "../ui/password-field.tsx";
import { panelClasses, Section } from "../ui/section.tsx";
import { TextField } from "../ui/text-field.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import {
  accountQuery,
  type LinkedAccount,
  linkedAccountsQuery,
  providersQuery,
  sessionsQuery,
} from "./account-queries.ts";

/** Password, address, and accounts at providers. */
export function SecurityPage() {
  const t = useTranslations("account");
  useTitle(t("tabs.security"));
  return (
    <div className="grid gap-8">
      <Section
        title={t("password.title")}
        text={
          <>
            {t("password.text")}{" "}
            <a href="/admin/auth/forgot" className="text-accent underline underline-offset-2">
              {t("password.none")}
            </a>
          </>
        }
      >
        <PasswordForm />
      </Section>
      <Section title={t("address.title")} text={t("address.text")}>
        <AddressForm />
      </Section>
      <LinkedAccounts />
    </div>
  );
}

/** Changes the password; the other sessions end. */
function PasswordForm() {
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

/** Requests the mail whose link changes the address. */
function AddressForm() {
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

/** The password that confirms a change of the account. */
function CurrentPassword(props: {
  /** For password managers, which keep a password under its address. */
  readonly email: string | undefined;
  /** By default "Current password". */
  readonly label?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isWrong: boolean;
}) {
  const t = useTranslations("account.password");
  return (
    <>
      <input type="text" autoComplete="username" value={props.email ?? ""} readOnly hidden />
      <PasswordField
        label={props.label ?? t("current")}
        autoComplete="current-password"
        value={props.value}
        onChange={props.onChange}
        fault={props.isWrong ? t("wrong") : undefined}
        words={{ show: t("show"), hide: t("hide") }}
      />
    </>
  );
}

/** The accounts at providers that sign the person in, and the providers that can be linked. */
function LinkedAccounts() {
  const t = useTranslations("account");
  const format = useFormatter();
  const { data: linked = [] } = useQuery(linkedAccountsQuery);
  const { data: providers } = useQuery(providersQuery);
  const [leaving, leave] = useState<LinkedAccount>();
  const open = (providers?.data ?? []).filter(
    ({ key }) => !linked.some(({ provider }) => provider?.key === key),
  );
  if (linked.length + open.length === 0) return null;
  return (
    <Section title={t("linked.title")} text={t("linked.text")}>
      <Entries>
        {linked.map((account) => (
          <Entry
            key={account.id}
            name={account.provider?.name ?? account.issuer}
            facts={[
              t("linked.since", {
                since: format.dateTime(new Date(account.createdAt), { dateStyle: "medium" }),
              }),
            ]}
            actions={
              <ToolButton
                kind="danger"
                onClick={() => leave(account)}
                aria-label={t("linked.unlinkOne", {
                  name: account.provider?.name ?? account.issuer,
                })}
              >
                {t("linked.unlink")}
              </ToolButton>
            }
          />
        ))}
        {open.map(({ key, name }) => (
          <Unlinked key={key} provider={key} name={name} />
        ))}
      </Entries>
      {leaving !== undefined && <UnlinkDialog account={leaving} onClose={() => leave(undefined)} />}
    </Section>
  );
}

function Unlinked({ provider, name }: { readonly provider: string; readonly name: string }) {
  const t = useTranslations("account");
  const task = useTask(async () => {
    const { data } = await client.api.post("/auth/oauth/{provider}/link", { path: { provider } });
    location.assign(data.url);
  }, []);
  const failure = useRecentFailure(task);
  return (
    <Entry
      name={name}
      facts={[t("linked.not")]}
      notice={failure !== undefined && <Notice kind="danger">{failure}</Notice>}
      actions={
        <ToolButton onClick={task.run} aria-label={t("linked.linkOne", { name })}>
          {t("linked.link")}
        </ToolButton>
      }
    />
  );
}

function UnlinkDialog(props: { readonly account: LinkedAccount; readonly onClose: () => void }) {
  const t = useTranslations("account");
  const cache = useQueryClient();
  const { account, onClose } = props;
  const name = account.provider?.name ?? account.issuer;
  const task = useTask(async () => {
    await client.api.delete("/auth/linked-accounts/{id}", { path: { id: account.id } });
    await cache.invalidateQueries({ queryKey: linkedAccountsQuery.queryKey });
    onClose();
  }, []);
  const failure = useRecentFailure(task);
  return (
    <ConfirmTask
      title={t("linked.unlinkTitle", { name })}
      confirm={t("linked.unlink")}
      failure={failure}
      task={task}
      onClose={onClose}
    >
      {t("linked.unlinkText", { name })}
    </ConfirmTask>
  );
}

/** The words for a failure of what needs a recent sign-in and another way to sign in. */
function useRecentFailure(task: Task): string | undefined {
  const t = useTranslations("account.linked");
  if (task.code === "RECENT_SIGN_IN_REQUIRED") return t("recent");
  return task.code === "CONFLICT" ? t("last") : task.failure;
}
