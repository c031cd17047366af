import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { trialPath } from "../shell/trial-path.ts";
import { Entry, StateBadge } from "../ui/entries.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import type { Provider } from "./people-queries.ts";
import type { ProviderDeed } from "./provider-deed-dialog.tsx";

/** A provider with its state, and what can be done with it. */
export function ProviderEntry(props: {
  readonly provider: Provider;
  readonly onEdit: () => void;
  readonly onAct: (deed: ProviderDeed) => void;
}) {
  const t = useTranslations("providers");
  const account = useTranslations("account.tokens");
  const words = useTranslations("manage");
  const { key, name, kind, issuer, clientId, allowedDomains, roleId, enabled } = props.provider;
  const labelOf = (action: string) => account("actionOf", { action, name });
  return (
    <Entry
      name={
        <>
          <span dir="auto">{name}</span>
          <StateBadge look={enabled ? "ok" : "warn"}>
            {t(enabled ? "enabled" : "disabled")}
          </StateBadge>
          <StateBadge look="plain">{t(`kinds.${kind}`)}</StateBadge>
        </>
      }
      facts={[
        t("issuerFact", { issuer, clientId }),
        allowedDomains.length === 0
          ? t("anyDomain")
          : t("domainsFact", { domains: allowedDomains.join(", ") }),
        t(roleId === null ? "linkedOnly" : "newAccounts"),
      ]}
      actions={
        <>
          {enabled && (
            <a
              href={client.auth.providerUrl(key, trialPath)}
              target="_blank"
              rel="noopener noreferrer"
              title={t("tryText")}
              aria-label={labelOf(t("try"))}
              className="inline-flex h-7 items-center rounded-control border border-line-strong bg-surface px-2.5 font-medium hover:bg-sunken"
            >
              {t("try")}
            </a>
          )}
          <ToolButton aria-label={labelOf(words("edit"))} onClick={props.onEdit}>
            {words("edit")}
          </ToolButton>
          <ToolButton
            aria-label={labelOf(t(enabled ? "disable" : "enable"))}
            onClick={() => props.onAct(enabled ? "disable" : "enable")}
          >
            {t(enabled ? "disable" : "enable")}
          </ToolButton>
          <ToolButton
            kind="danger"
            aria-label={labelOf(words("delete"))}
            onClick={() => props.onAct("delete")}
          >
            {words("delete")}
          </ToolButton>
        </>
      }
    />
  );
}
