import { useTranslations } from "use-intl";
import { Checkbox } from "../../ui/checkbox.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { columnModels } from "../model/column-model.ts";

/** A choice of columns, in the order in which they are chosen. */
export function ColumnsChoice(props: {
  readonly label: string;
  readonly chosen: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}) {
  const t = useTranslations("tableDraft");
  const { table, draft } = useDraft();
  const { chosen, onChange } = props;
  const columns = columnModels(table, draft).filter(
    ({ name, mark }) => name !== "" && mark !== "dropped",
  );
  const nameOf = (id: string) => columns.find((column) => column.id === id)?.name ?? id;
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1 font-medium">{props.label}</legend>
      <div className="grid max-h-60 gap-x-4 overflow-y-auto sm:grid-cols-2">
        {columns.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            isChecked={chosen.includes(id)}
            onChange={(isChecked) =>
              onChange(isChecked ? [...chosen, id] : chosen.filter((one) => one !== id))
            }
          />
        ))}
      </div>
      {chosen.length > 1 && (
        <p className="text-2 text-ink-2">{t("order", { names: chosen.map(nameOf).join(", ") })}</p>
      )}
    </fieldset>
  );
}
