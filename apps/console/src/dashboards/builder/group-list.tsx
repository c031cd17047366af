import { useTranslations } from "use-intl";
import { valueKindOf } from "../../records/values/value-kind.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { X } from "../../ui/icons.generated.ts";
import { type TimeUnit, timeUnits } from "./draft.ts";
import { FieldPicker } from "./field-picker.tsx";
import type { Field } from "./fields.ts";
import { type Facts, unitFor } from "./propose.ts";
import { SelectField } from "./select-field.tsx";
import { readGroup, writeGroup } from "./terms.ts";

interface GroupListProps {
  readonly title: string;
  /** The label of the field at a place, such as that of the axis. */
  readonly labelAt: (index: number) => string;
  readonly add: string;
  readonly terms: readonly string[];
  readonly min: number;
  readonly max: number;
  readonly fields: readonly Field[];
  readonly facts: Facts;
  readonly faultAt: (index: number) => string | undefined;
  readonly onChange: (terms: readonly string[]) => void;
}

/** By what the rows of a panel are grouped; times by a unit. */
export function GroupList(props: GroupListProps) {
  const { terms, min, max, fields, facts, faultAt, onChange } = props;
  const t = useTranslations("dashboardBuilder");
  const groupable = fields.filter(({ column }) => !column.array && valueKindOf(column) !== "JSON");
  const change = (index: number, term: string) =>
    onChange(terms.map((one, at) => (at === index ? term : one)));
  const termOf = (field: Field) =>
    writeGroup({
      field: field.path,
      unit: field.role === "TIME" ? unitFor(facts.days.get(field.path)) : null,
    });
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium">{props.title}</legend>
      {terms.map((term, index) => {
        const read = readGroup(term);
        const field = groupable.find(({ path }) => path === read?.field);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a term is edited in its place
          <div key={index} className="flex items-end gap-1.5">
            <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-2">
              <FieldPicker
                label={props.labelAt(index)}
                fields={groupable}
                path={read?.field ?? term}
                fault={faultAt(index)}
                onPick={(next) => change(index, termOf(next))}
              />
              {field?.role === "TIME" && (
                <SelectField
                  label={t("unit")}
                  value={read?.unit ?? "none"}
                  options={[
                    ...unitsOf(field).map((value) => ({ value, label: t(`units.${value}`) })),
                    { value: "none" as const, label: t("noUnit") },
                  ]}
                  onChange={(unit) =>
                    change(
                      index,
                      writeGroup({ field: field.path, unit: unit === "none" ? null : unit }),
                    )
                  }
                />
              )}
            </div>
            {terms.length > min && (
              <IconButton
                label={t("removeGroup", { name: props.labelAt(index) })}
                icon={X}
                onPress={() => onChange(terms.filter((_, at) => at !== index))}
              />
            )}
          </div>
        );
      })}
      {terms.length < max && (
        <FieldPicker
          key={terms.length}
          label={props.add}
          fields={groupable.filter((field) => !terms.includes(termOf(field)))}
          path={undefined}
          fault={terms.length === 0 ? faultAt(0) : undefined}
          onPick={(field) => onChange([...terms, termOf(field)])}
        />
      )}
    </fieldset>
  );
}

/** A date has no hours. */
function unitsOf(field: Field): readonly TimeUnit[] {
  return valueKindOf(field.column) === "DATE"
    ? timeUnits.slice(timeUnits.indexOf("day"))
    : timeUnits;
}
