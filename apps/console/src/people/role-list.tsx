import { useFormatter, useTranslations } from "use-intl";
import { NameLink } from "../shell/name-link.tsx";
import { type ListColumn, ListTable } from "../ui/list-table.tsx";
import type { Role } from "./people-queries.ts";
import { RoleBadges } from "./role-badges.tsx";

/** Roles with the number of their members. */
export function RoleList({ roles }: { readonly roles: readonly Role[] }) {
  const t = useTranslations("roles");
  const words = useTranslations("manage");
  const format = useFormatter();
  const columns: readonly ListColumn<Role>[] = [
    {
      key: "name",
      label: words("name"),
      cell: ({ id, name }) => <NameLink href={`/admin/people/roles/${id}`} name={name} />,
    },
    {
      key: "description",
      label: words("description"),
      cell: ({ description }) => (
        <span dir="auto" title={description}>
          {description}
        </span>
      ),
    },
    {
      key: "members",
      label: t("members"),
      width: "w-28",
      isNumber: true,
      cell: ({ memberCount }) => format.number(memberCount),
    },
    {
      key: "rights",
      label: t("rights"),
      width: "w-72",
      cell: (role) => <RoleBadges role={role} />,
    },
  ];
  return <ListTable label={t("title")} items={roles} columns={columns} keyOf={({ id }) => id} />;
}
