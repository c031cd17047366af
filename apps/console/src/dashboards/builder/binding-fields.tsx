import { readName, writeName } from "@rowhouse/access/written-name";
import { useTranslations } from "use-intl";
import { isNumeric, valueKindOf } from "../../records/values/value-kind.ts";
import type { Panel, Parameter } from "./draft.ts";
import { FieldPicker } from "./field-picker.tsx";
import type { Field } from "./fields.ts";
import { useResource } from "./use-resource.ts";

interface BindingFieldsProps {
  readonly panel: Panel;
  readonly parameters: readonly Parameter[];
  readonly fields: readonly Field[];
  readonly faultAt: (pointer: string) => string | undefined;
  readonly onChange: (panel: Panel) => void;
}

/** The columns by which the parameters of the board narrow a panel. */
export function BindingFields(props: BindingFieldsProps) {
  const t = useTranslations("dashboardBuilder");
  if (props.parameters.length === 0) return null;
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium">{t("narrowedBy")}</legend>
      {props.parameters.map((parameter) => (
        <BindingField key={parameter.name} {...props} parameter={parameter} />
      ))}
    </fieldset>
  );
}

interface BindingFieldProps extends Omit<BindingFieldsProps, "parameters"> {
  readonly parameter: Parameter;
}

function BindingField({ panel, parameter, fields, faultAt, onChange }: BindingFieldProps) {
  const t = useTranslations("dashboardBuilder");
  const source = useResource(parameter.kind === "VALUE" ? parameter.resourceId : null);
  const { name, label } = parameter;
  const index = panel.bindings.findIndex((one) => one.parameter === name);
  const binding = panel.bindings[index];
  const others = panel.bindings.filter((one) => one.parameter !== name);
  const own =
    parameter.kind === "VALUE"
      ? source.fields.find(({ path }) => path === readName(parameter.field))
      : undefined;
  return (
    <FieldPicker
      label={label || name}
      fields={fields.filter((field) => fits(parameter, own, field))}
      path={binding === undefined ? undefined : readName(binding.field)}
      fault={binding === undefined ? undefined : faultAt(`/bindings/${index}`)}
      onPick={({ path }) =>
        onChange({
          ...panel,
          bindings: [...others, { parameter: name, field: writeName(path) }],
        })
      }
      none={{
        label: t("notNarrowed"),
        onPick: () => onChange({ ...panel, bindings: others }),
      }}
    />
  );
}

/** Whether a parameter has values of a field's type. */
function fits({ kind }: Parameter, own: Field | undefined, { role, column }: Field): boolean {
  if (column.array) return false;
  if (kind === "PERIOD") return role === "TIME";
  if (kind === "PERSON") return valueKindOf(column) === "UUID";
  if (own === undefined) return false;
  if (isNumeric(own.column)) return isNumeric(column);
  return valueKindOf(own.column) === valueKindOf(column);
}
