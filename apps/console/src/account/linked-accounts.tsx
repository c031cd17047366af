import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import { useTask } from "../shell/use-task.ts";
import { Entries, Entry } from "../ui/entries.tsx";
import { Notice } from "../ui/notice.tsx";
import { Section } from "../ui/section.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { type LinkedAccount, linkedAccountsQuery, providersQuery } from "./account-queries.ts";
import { useRecentFailure } from "./use-recent-failure.ts";

/** The accounts at providers that sign the person in, and the providers that can be linked. */
export function LinkedAccounts() {
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
