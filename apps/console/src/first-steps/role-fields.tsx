import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { rolesQuery } from "../shell/roles-query.ts";
import { Select } from "../ui/select.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { RoleDraft } from "./use-open-tables.ts";

/** The role that gets the tables: a new one, one that exists, or none. */
export function RoleFields(props: {
  readonly role: RoleDraft;
  readonly onChange: (role: RoleDraft) => void;
  readonly fault: string | undefined;
}) {
  const t = useTranslations("openTables");
  const { role, onChange, fault } = props;
  const { data: roles = [] } = useQuery(rolesQuery);
  const own = roles.filter(({ isAdministrators }) => !isAdministrators);
  const value = role.kind === "KNOWN" ? role.id : role.kind;
  return (
    <fieldset className="grid max-w-110 gap-3">
      <legend className="mb-1.5 font-medium">{t("role")}</legend>
      <Select
        label={t("for")}
        value={value}
        options={[
          { value: "NEW", label: t("newRole") },
          ...own.map(({ id, name }) => ({ value: id, label: name, isName: true })),
          { value: "NONE", label: t("noRole") },
        ]}
        onChange={(next) => {
          if (next === "NEW") onChange({ kind: "NEW", name: t("roleName") });
          else onChange(next === "NONE" ? { kind: "NONE" } : { kind: "KNOWN", id: next });
        }}
      />
      {role.kind === "NEW" && (
        <TextField
          label={t("newRoleName")}
          name="role"
          autoComplete="off"
          value={role.name}
          onChange={(name) => onChange({ kind: "NEW", name })}
          hint={t("newRoleHint")}
          fault={fault}
        />
      )}
    </fieldset>
  );
}
