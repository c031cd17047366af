import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { type ResourceEntry, resourceName } from "../../shell/resource-queries.ts";
import { linkClasses } from "../../ui/link-classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { grantPath } from "../access-paths.ts";
import type { Grant, Role } from "../access-queries.ts";

interface LostGrantsProps {
  readonly grants: readonly Grant[];
  readonly resources: readonly ResourceEntry[];
  readonly roles: readonly Role[];
}

/** Names the grants that allow nothing because they lost a column, with the way to each. */
export function LostGrants({ grants, resources, roles }: LostGrantsProps) {
  const t = useTranslations("access");
  const lost = grants.filter(({ effective }) => !effective);
  if (lost.length === 0) return null;
  return (
    <Notice kind="danger">
      <p className="font-medium">{t("lost.title", { count: lost.length })}</p>
      <ul className="grid gap-0.5">
        {lost.map((grant) => {
          const resource = resources.find(({ id }) => id === grant.resourceId);
          const role = roles.find(({ id }) => id === grant.roleId);
          return (
            <li key={grant.id}>
              <AppLink href={grantPath(grant.id)} className={linkClasses}>
                {t("lost.grant", {
                  role: role?.name ?? grant.roleId,
                  action: t(`action.${grant.action}`),
                  resource: resource === undefined ? grant.resourceId : resourceName(resource),
                })}
              </AppLink>{" "}
              {grant.lost
                .map(({ part, name }) => t("lost.part", { part: t(`part.${part}`), name }))
                .join(", ")}
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}
