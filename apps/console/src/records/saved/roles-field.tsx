import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { RoleChoice } from "../../shell/role-choice.tsx";
import { rolesQuery } from "../../shell/roles-query.ts";

interface RolesFieldProps {
  readonly roleIds: readonly string[];
  readonly fault?: string | undefined;
  readonly onChange: (roleIds: readonly string[]) => void;
}

/** The roles whose members may open a DataView or dashboard. */
export function RolesField({ roleIds, fault, onChange }: RolesFieldProps) {
  const t = useTranslations("readings");
  const { data: roles = [] } = useQuery(rolesQuery);
  const chosen = roleIds.map((id) => ({
    id,
    label: roles.find((role) => role.id === id)?.name ?? id,
  }));
  return (
    <RoleChoice
      chosen={chosen}
      hint={t("rolesHint")}
      fault={fault}
      onChange={(next) => onChange(next.map(({ id }) => id))}
    />
  );
}
