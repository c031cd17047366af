import { useTranslations } from "use-intl";
import type { Task } from "../shell/use-task.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { NamedFields, type NamedTexts } from "./named-fields.tsx";

/** What an administrator sets of a role. */
export interface RoleForm extends NamedTexts {
  readonly apiAccess: boolean;
  readonly tokenCreation: boolean;
}

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
  const { form, onChange, task } = props;
  return (
    <>
      <NamedFields
        form={form}
        onChange={onChange}
        task={task}
        nameFault={t(task.code === "CONFLICT" ? "nameTaken" : "nameFault")}
        isFirst={props.isFirst === true}
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
