import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslations } from "use-intl";
import { FindBox } from "../../shell/find-box.tsx";
import { findRoles } from "../../shell/find-people.ts";
import { PersonPicker } from "../../shell/person-picker.tsx";
import { type ReadingIcon, readingIcon, readingIcons } from "../../shell/reading-icons.ts";
import { RoleChoice } from "../../shell/role-choice.tsx";
import { rolesQuery } from "../../shell/roles-query.ts";
import type { SeenAs } from "../../shell/seen-as.ts";
import { classes } from "../../ui/classes.ts";
import { Select } from "../../ui/select.tsx";

const names = Object.keys(readingIcons) as ReadingIcon[];

interface IconFieldProps {
  readonly kind: "dataView" | "dashboard";
  readonly icon: string | null;
  readonly fault?: string | undefined;
  readonly onChange: (icon: ReadingIcon | null) => void;
}

/** Chooses the icon of a DataView or dashboard in the navigation. */
export function IconField({ kind, icon, fault, onChange }: IconFieldProps) {
  const t = useTranslations("readings");
  const id = useId();
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium">{t("icon")}</legend>
      <div className="flex flex-wrap gap-1">
        {[null, ...names].map((name) => {
          const Icon = readingIcon(name, kind);
          const label = name === null ? t("standardIcon") : t(`icons.${name}`);
          return (
            <label
              key={name ?? ""}
              title={label}
              className={classes(
                "relative grid size-8 cursor-pointer place-items-center rounded-control border focus-within:outline-2 focus-within:outline-accent",
                name === icon
                  ? "border-accent bg-accent-soft text-ink"
                  : "border-transparent text-ink-2 hover:bg-sunken hover:text-ink",
              )}
            >
              <input
                type="radio"
                name={id}
                aria-label={label}
                checked={name === icon}
                onChange={() => onChange(name)}
                className="sr-only"
              />
              <Icon size={16} aria-hidden="true" />
            </label>
          );
        })}
      </div>
      {fault !== undefined && (
        <p role="alert" className="text-2 text-danger">
          {fault}
        </p>
      )}
    </fieldset>
  );
}

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
