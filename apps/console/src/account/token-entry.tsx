import { useFormatter, useTranslations } from "use-intl";
import { Entry, StateBadge } from "../ui/entries.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import type { OwnToken } from "./account-queries.ts";
import { type TokenAction, tokenActions } from "./token-action-dialog.tsx";

const looks = { active: "ok", deactivated: "warn", expired: "plain", revoked: "plain" } as const;

/** A token with its plane, state, use and expiry, and what can be done with it. */
export function TokenEntry(props: {
  readonly token: OwnToken;
  readonly onAct: (action: TokenAction) => void;
}) {
  const t = useTranslations("account.tokens");
  const format = useFormatter();
  const { token, onAct } = props;
  const { name, description, plane, state, expiresAt, expiresSoon, lastUsedAt } = token;
  const day = (text: string) => format.dateTime(new Date(text), { dateStyle: "medium" });
  const moment = (text: string) =>
    format.dateTime(new Date(text), { dateStyle: "medium", timeStyle: "short" });
  const used = lastUsedAt === null ? t("neverUsed") : t("used", { at: moment(lastUsedAt) });
  const until = token.previousSecretUntil;
  return (
    <Entry
      name={
        <>
          <span dir="auto">{name}</span>
          <StateBadge look={looks[state]}>{t(state)}</StateBadge>
          <StateBadge look="plain">{t(plane)}</StateBadge>
          {expiresSoon && <StateBadge look="warn">{t("soon")}</StateBadge>}
        </>
      }
      facts={[
        ...(description === "" ? [] : [description]),
        `${t(state === "expired" ? "expiredAt" : "expires", { at: day(expiresAt) })} · ${used}`,
        ...(until === null ? [] : [t("previousUntil", { at: moment(until) })]),
      ]}
      actions={tokenActions(state).map((kind) => (
        <ToolButton
          key={kind}
          kind={kind === "revoke" ? "danger" : "plain"}
          onClick={() => onAct({ kind, token })}
          aria-label={t("actionOf", { action: t(`do.${kind}`), name })}
        >
          {t(`do.${kind}`)}
        </ToolButton>
      ))}
    />
  );
}
