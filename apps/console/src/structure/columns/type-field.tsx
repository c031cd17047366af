import { useTranslations } from "use-intl";
import { Combobox } from "../../ui/combobox.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { findTypes } from "./data-types.ts";
import { inputLook } from "./input-look.ts";

/** The type of a column: a usual one, one of the table, or any other as a text. */
export function TypeField(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
}) {
  const t = useTranslations("tableDraft");
  const { table } = useDraft();
  const { value, onChange } = props;
  const types = findTypes(value, table?.columns.map(({ dataType }) => dataType) ?? []);
  return (
    <Combobox
      label={props.label}
      text={value}
      onText={onChange}
      options={types.map((id) => ({ id, label: id }))}
      chosen={value}
      onChoose={onChange}
      message={types.length === 0 ? t("ownType") : undefined}
      inputClassName={inputLook}
      describedBy={props.describedBy}
      isInvalid={props.isInvalid}
    />
  );
}
