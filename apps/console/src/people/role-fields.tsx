import { useTranslations } from "use-intl";
import type { Task } from "../shell/use-task.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { TextField } from "../ui/text-field.tsx";

/** What an administrator sets of a role. */
export interface RoleForm {
  readonly name: string;
  readonly description: string;
  readonly apiAccess: boolean;
  readonly tokenCreation: boolean;
}

/** JSON pointers of the fields that show their own faults. */
export const rolePointers = ["/data/name", "/data/description"];

/** The fields of a role. */
export function RoleFields(props: {
  readonly form: RoleForm;
  readonly onChange: (form: RoleForm) => void;
  readonly task: Task;
  readonly isFirst?: boolean;
  /** The role of the administrators always has API access. */
  readonly isAdministrators?: boolean;
}) {
  const t = useTranslations("roles");
  const words = useTranslations("manage");
  const { form, onChange, task } = props;
  const nameFault = t(task.code === "CONFLICT" ? "nameTaken" : "nameFault");
  return (
    <>
      <TextField
        label={words("name")}
        name="name"
        autoComplete="off"
        value={form.name}
        onChange={(name) => onChange({ ...form, name })}
        fault={task.faultAt("/data/name") === undefined ? undefined : nameFault}
        isFirst={props.isFirst === true}
      />
      <TextField
        label={words("description")}
        name="description"
        autoComplete="off"
        value={form.description}
        onChange={(description) => onChange({ ...form, description })}
        fault={task.faultAt("/data/description") === undefined ? undefined : t("descriptionFault")}
      />
      <div className="grid gap-1">
        {props.isAdministrators !== true && (
          <Checkbox
            label={t("apiAccess")}
            isChecked={form.apiAccess}
            onChange={(apiAccess) => onChange({ ...form, apiAccess })}
          />
        )}
        <Checkbox
          label={t("tokenCreation")}
          isChecked={form.tokenCreation}
          onChange={(tokenCreation) => onChange({ ...form, tokenCreation })}
        />
      </div>
    </>
  );
}
