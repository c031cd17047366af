import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { FindBox } from "../shell/find-box.tsx";
import { findRoles } from "../shell/find-people.ts";
import { ToolButton } from "../ui/tool-button.tsx";
import { roleQuery } from "./people-queries.ts";

/** The role of accounts that a provider's sign-in creates; without one it creates none. */
export function ProviderRole(props: {
  readonly roleId: string;
  readonly onChange: (roleId: string) => void;
  readonly fault: string | undefined;
}) {
  const t = useTranslations("providers");
  const { roleId, onChange } = props;
  const { data: role } = useQuery({ ...roleQuery(roleId), enabled: roleId !== "" });
  return (
    <div className="grid gap-2">
      <FindBox
        label={t("role")}
        hint={t(roleId === "" ? "hints.noRole" : "hints.role")}
        fault={props.fault}
        chosen={roleId === "" || role === undefined ? undefined : { id: roleId, label: role.name }}
        onChoose={({ id }) => onChange(id)}
        findKey={["people", "find-roles"]}
        find={findRoles}
      />
      {roleId !== "" && (
        <div>
          <ToolButton onClick={() => onChange("")}>{t("removeRole")}</ToolButton>
        </div>
      )}
    </div>
  );
}
