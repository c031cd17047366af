import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { Task } from "../shell/use-task.ts";
import { TextField } from "../ui/text-field.tsx";

/** The texts of a record that has a name. */
export interface NamedTexts {
  readonly name: string;
  readonly description: string;
}

/** JSON pointers of the fields that show their own faults. */
export const namedPointers = ["/data/name", "/data/description"];

/** The name and the description of a role or a token. */
export function NamedFields<Form extends NamedTexts>(props: {
  readonly form: Form;
  readonly onChange: (form: Form) => void;
  readonly task: Task;
  /** The words for a name that the service refuses. */
  readonly nameFault: string;
  readonly nameHint?: ReactNode;
  readonly isFirst?: boolean;
}) {
  const t = useTranslations("roles");
  const words = useTranslations("manage");
  const { form, onChange, task } = props;
  const at = (pointer: string, text: string) =>
    task.faultAt(pointer) === undefined ? undefined : text;
  return (
    <>
      <TextField
        label={words("name")}
        name="name"
        autoComplete="off"
        value={form.name}
        onChange={(name) => onChange({ ...form, name })}
        hint={props.nameHint}
        fault={at("/data/name", props.nameFault)}
        isFirst={props.isFirst === true}
      />
      <TextField
        label={words("description")}
        name="description"
        autoComplete="off"
        value={form.description}
        onChange={(description) => onChange({ ...form, description })}
        fault={at("/data/description", t("descriptionFault"))}
      />
    </>
  );
}
