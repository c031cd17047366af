import type { AdminOperations } from "@rowhouse/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { client } from "../shell/client.ts";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import { Listing } from "../shell/listing.tsx";
import { renew } from "../shell/renew.ts";
import { useSetting } from "../shell/settings.ts";
import { useListing } from "../shell/use-listing.ts";
import { useTask } from "../shell/use-task.ts";
import { useTitle } from "../shell/use-title.ts";
import { linkClasses } from "../ui/classes.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Entries, Entry, StateBadge } from "../ui/entries.tsx";
import { ToolButton, toolClasses } from "../ui/tool-button.tsx";
import { McpOff } from "./mcp-off.tsx";

const listKey = ["people", "tokens", { client: "true" }];

/** The clients that people have connected by OAuth, which an administrator can cut off. */
export function ClientsPage() {
  const t = useTranslations("mcp");
  const isOn = useSetting("mcp.enabled") === true;
  const clients = useListing(listKey, (page, signal) =>
    client.admin.get("/tokens", { query: { client: "true", ...page }, signal }),
  );
  const [revoked, revoke] = useState<ConnectedClient>();
  useTitle(t("tabs.clients"));
  return (
    <>
      <Listing
        listing={clients}
        isFiltered={false}
        empty={isOn ? <EmptyState title={t("noClients")} text={t("noClientsText")} /> : <McpOff />}
      >
        {(items) => (
          <Entries>
            {items.flatMap((token) =>
              token.client === null ? (
                []
              ) : (
                <ClientEntry key={token.id} token={token} onRevoke={() => revoke(token)} />
              ),
            )}
          </Entries>
        )}
      </Listing>
      {revoked !== undefined && <RevokeDialog token={revoked} onClose={() => revoke(undefined)} />}
    </>
  );
}

function RevokeDialog(props: {
  readonly token: AdminOperations["GET /tokens"]["answer"]["data"][number];
  readonly onClose: () => void;
}) {
  const t = useTranslations("mcp");
  const cache = useQueryClient();
  const { id, name, client: connected } = props.token;
  const task = useTask(async () => {
    await client.admin.post("/tokens/{id}/revoke", { path: { id } });
    await renew(cache, { queryKey: ["people"] });
    props.onClose();
  }, []);
  return (
    <ConfirmTask
      title={t("revokeTitle", { name: connected?.name ?? name })}
      confirm={t("revoke")}
      task={task}
      onClose={props.onClose}
    >
      <p>{t("revokeText")}</p>
    </ConfirmTask>
  );
}

/** The token that a person's consent has made for a client. */
type ConnectedClient = AdminOperations["GET /tokens"]["answer"]["data"][number];

const looks = { active: "ok", deactivated: "warn", expired: "plain", revoked: "plain" } as const;

/** A connected client with its person, scopes and last use. */
function ClientEntry(props: { readonly token: ConnectedClient; readonly onRevoke: () => void }) {
  const t = useTranslations("mcp");
  const account = useTranslations("account.tokens");
  const format = useFormatter();
  const { id, userId, owner, state, client, lastUsedAt, expiresAt } = props.token;
  const scopes = props.token.scopes ?? [];
  const moment = (text: string) =>
    format.dateTime(new Date(text), { dateStyle: "medium", timeStyle: "short" });
  const used =
    lastUsedAt === null ? account("neverUsed") : account("used", { at: moment(lastUsedAt) });
  const expiry = account(state === "expired" ? "expiredAt" : "expires", {
    at: format.dateTime(new Date(expiresAt), { dateStyle: "medium" }),
  });
  const isOpen = state === "active" || state === "deactivated";
  return (
    <Entry
      name={
        <>
          <span dir="auto">{client?.name}</span>
          <StateBadge look={looks[state]}>{account(state)}</StateBadge>
          {scopes.map((scope) => (
            <StateBadge key={scope} look={scope === "read" ? "plain" : "warn"}>
              {t(`scopes.${scope}`)}
            </StateBadge>
          ))}
          <AppLink
            href={`/admin/people/users/${userId}`}
            className={`${linkClasses} wrap-anywhere font-normal`}
            title={owner.email}
            dir="auto"
          >
            {owner.name === "" ? owner.email : owner.name}
          </AppLink>
        </>
      }
      facts={[`${expiry} · ${used}`]}
      notice={
        <p className="text-2 text-ink-2 wrap-anywhere">
          {t(client?.kind === "REGISTERED" ? "registered" : "document")} <bdi>{client?.id}</bdi>
        </p>
      }
      actions={
        <>
          <AppLink href={`/admin/mcp/calls?tokenId=${id}`} className={toolClasses("plain")}>
            {t("tabs.calls")}
          </AppLink>
          {isOpen && (
            <ToolButton
              kind="danger"
              onClick={props.onRevoke}
              aria-label={account("actionOf", { action: t("revoke"), name: client?.name ?? "" })}
            >
              {t("revoke")}
            </ToolButton>
          )}
        </>
      }
    />
  );
}
