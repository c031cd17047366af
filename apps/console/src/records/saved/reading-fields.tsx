import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { FindBox } from "../../shell/find-box.tsx";
import { findRoles } from "../../shell/find-people.ts";
import { PersonPicker } from "../../shell/person-picker.tsx";
import { RoleChoice } from "../../shell/role-choice.tsx";
import { rolesQuery } from "../../shell/roles-query.ts";
import type { SeenAs } from "../../shell/seen-as.ts";
import { Select } from "../../ui/select.tsx";

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

const kinds = ["me", "person", "role"] as const;

type Kind = (typeof kinds)[number];

interface SeenAsFieldProps {
  readonly as: SeenAs | undefined;
  readonly onChange: (as: SeenAs | undefined) => void;
}

/** Chooses whose rights a preview has: one's own, those of a person, or those of a role. */
export function SeenAsField({ as, onChange }: SeenAsFieldProps) {
  const t = useTranslations("readings");
  const [kind, setKind] = useState<Kind>(kindOf(as));
  const { data: roles = [] } = useQuery(rolesQuery);
  const roleId = as !== undefined && "roleIds" in as ? as.roleIds[0] : undefined;
  const role = roles.find(({ id }) => id === roleId);
  return (
    <div className="grid gap-2">
      <Select
        label={t("seenAs.label")}
        value={kind}
        options={kinds.map((value) => ({ value, label: t(`seenAs.${value}`) }))}
        onChange={(next) => {
          setKind(next);
          onChange(undefined);
        }}
      />
      {kind === "person" && (
        <PersonPicker
          userId={as !== undefined && "userId" in as ? as.userId : undefined}
          onChoose={(userId) => onChange({ userId })}
        />
      )}
      {kind === "role" && (
        <FindBox
          label={t("seenAs.roleName")}
          chosen={role === undefined ? undefined : { id: role.id, label: role.name }}
          onChoose={({ id }) => onChange({ roleIds: [id] })}
          findKey={["readings", "find-roles"]}
          find={findRoles}
        />
      )}
    </div>
  );
}

function kindOf(as: SeenAs | undefined): Kind {
  if (as === undefined) return "me";
  return "userId" in as ? "person" : "role";
}
