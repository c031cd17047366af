import { useTranslations } from "use-intl";
import { FieldBadges } from "../kinds/record-fields.tsx";
import { StateBadge } from "../ui/entries.tsx";
import type { Role, User } from "./people-queries.ts";

/** The state of a user in words. */
export function UserBadges({ user }: { readonly user: User }) {
  const t = useTranslations("people");
  if (user.isSystem) return <StateBadge look="plain">{t("system")}</StateBadge>;
  return (
    <span className="inline-flex flex-wrap gap-1.5 align-middle">
      <StateBadge look={user.active ? "ok" : "warn"}>
        {t(user.active ? "active" : "inactive")}
      </StateBadge>
      {user.active && !user.apiAccess && <StateBadge look="warn">{t("accessFalse")}</StateBadge>}
      {!user.emailVerified && <StateBadge look="warn">{t("unverified")}</StateBadge>}
    </span>
  );
}

/** What a role permits besides its grants, in words. */
export function RoleBadges({ role }: { readonly role: Role }) {
  const t = useTranslations("roles");
  return (
    <span className="inline-flex flex-wrap gap-1.5 align-middle">
      {role.isAdministrators && <StateBadge look="warn">{t("everything")}</StateBadge>}
      <FieldBadges kind="role" record={role} />
    </span>
  );
}
