import { useTranslations } from "use-intl";
import { RemovableNames } from "../ui/removable-names.tsx";
import { FindBox, type Found } from "./find-box.tsx";
import { findRoles } from "./find-people.ts";

/** Some roles: each is found by its name, and can be removed again. */
export function RoleChoice(props: {
  readonly chosen: readonly Found[];
  readonly onChange: (chosen: readonly Found[]) => void;
  readonly hint: string;
  readonly fault: string | undefined;
}) {
  const t = useTranslations("people");
  const { chosen, onChange } = props;
  return (
    <div className="grid gap-2">
      <FindBox
        label={t("addRole")}
        hint={props.hint}
        fault={props.fault}
        chosen={undefined}
        onChoose={(role) => onChange([...chosen, role])}
        findKey={["people", "find-roles"]}
        find={findRoles}
        without={chosen.map(({ id }) => id)}
      />
      <RemovableNames
        label={t("roles")}
        names={chosen.map(({ id, label }) => ({ key: id, label }))}
        removeLabel={(name) => t("removeRole", { name })}
        onRemove={(key) => onChange(chosen.filter(({ id }) => id !== key))}
      />
    </div>
  );
}
