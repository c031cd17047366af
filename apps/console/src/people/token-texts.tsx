import { useTranslations } from "use-intl";
import type { Task } from "../shell/use-task.ts";
import { NamedFields, type NamedTexts } from "./named-fields.tsx";

/** The name and the description of a token. */
export function TokenTexts(props: {
  readonly form: NamedTexts;
  readonly onChange: (form: NamedTexts) => void;
  readonly task: Task;
  readonly isFirst?: boolean;
}) {
  const t = useTranslations("tokens");
  const account = useTranslations("account.tokens");
  const isTaken = props.task.code === "CONFLICT";
  return (
    <NamedFields
      {...props}
      nameFault={isTaken ? t("nameTaken") : account("nameFault")}
      nameHint={account("nameHint")}
    />
  );
}
