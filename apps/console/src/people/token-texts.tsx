import { useTranslations } from "use-intl";
import type { Task } from "../shell/use-task.ts";
import { TextField } from "../ui/text-field.tsx";

interface Texts {
  readonly name: string;
  readonly description: string;
}

/** JSON pointers of the fields that show their own faults. */
export const tokenPointers = ["/data/name", "/data/description"];

/** The name and the description of a token. */
export function TokenTexts(props: {
  readonly form: Texts;
  readonly onChange: (form: Texts) => void;
  readonly task: Task;
  readonly isFirst?: boolean;
}) {
  const t = useTranslations("tokens");
  const account = useTranslations("account.tokens");
  const words = useTranslations("manage");
  const roles = useTranslations("roles");
  const { form, onChange, task } = props;
  const nameFault = task.code === "CONFLICT" ? t("nameTaken") : account("nameFault");
  return (
    <>
      <TextField
        label={words("name")}
        name="name"
        autoComplete="off"
        value={form.name}
        onChange={(name) => onChange({ ...form, name })}
        hint={account("nameHint")}
        fault={task.faultAt("/data/name") === undefined ? undefined : nameFault}
        isFirst={props.isFirst === true}
      />
      <TextField
        label={words("description")}
        name="description"
        autoComplete="off"
        value={form.description}
        onChange={(description) => onChange({ ...form, description })}
        fault={
          task.faultAt("/data/description") === undefined ? undefined : roles("descriptionFault")
        }
      />
    </>
  );
}
