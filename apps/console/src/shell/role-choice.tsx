import { useTranslations } from "use-intl";
import { IconButton } from "../ui/icon-button.tsx";
import { X } from "../ui/icons.generated.ts";
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
      {chosen.length > 0 && (
        <ul aria-label={t("roles")} className="flex flex-wrap gap-2">
          {chosen.map((role) => (
            <li
              key={role.id}
              className="flex h-7 max-w-full items-center gap-1 rounded-control border border-line bg-sunken pl-2"
            >
              <span className="truncate" dir="auto" title={role.label}>
                {role.label}
              </span>
              <IconButton
                label={t("removeRole", { name: role.label })}
                icon={X}
                onPress={() => onChange(chosen.filter(({ id }) => id !== role.id))}
                isSmall
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
