import { useTranslations } from "use-intl";
import { StateBadge } from "../ui/entries.tsx";
import type { User } from "./people-queries.ts";

/** The state of a user in words. */
export function UserBadges({ user }: { readonly user: User }) {
  const t = useTranslations("people");
  if (user.isSystem) return <StateBadge look="plain">{t("system")}</StateBadge>;
  return (
    <span className="inline-flex flex-wrap gap-1.5 align-middle">
      <StateBadge look={user.active ? "ok" : "warn"}>
        {t(user.active ? "active" : "inactive")}
      </StateBadge>
      {!user.emailVerified && <StateBadge look="warn">{t("unverified")}</StateBadge>}
    </span>
  );
}
