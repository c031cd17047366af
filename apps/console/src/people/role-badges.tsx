import { useTranslations } from "use-intl";
import { StateBadge } from "../ui/entries.tsx";
import type { Role } from "./people-queries.ts";

/** What a role permits besides its grants, in words. */
export function RoleBadges({ role }: { readonly role: Role }) {
  const t = useTranslations("roles");
  return (
    <span className="inline-flex flex-wrap gap-1.5 align-middle">
      {role.isAdministrators && <StateBadge look="warn">{t("everything")}</StateBadge>}
      <StateBadge look={role.apiAccess ? "ok" : "plain"}>
        {t(role.apiAccess ? "access" : "noAccess")}
      </StateBadge>
      {role.tokenCreation && <StateBadge look="plain">{t("tokens")}</StateBadge>}
    </span>
  );
}
