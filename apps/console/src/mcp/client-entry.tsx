import type { AdminOperations } from "@rowhouse/client";
import { useFormatter, useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { Entry, StateBadge } from "../ui/entries.tsx";
import { linkClasses } from "../ui/link-classes.ts";
import { ToolButton, toolClasses } from "../ui/tool-button.tsx";

/** The token that a person's consent has made for a client. */
export type ConnectedClient = AdminOperations["GET /tokens"]["answer"]["data"][number];

const looks = { active: "ok", deactivated: "warn", expired: "plain", revoked: "plain" } as const;

/** A connected client with its person, scopes and last use. */
export function ClientEntry(props: {
  readonly token: ConnectedClient;
  readonly onRevoke: () => void;
}) {
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
