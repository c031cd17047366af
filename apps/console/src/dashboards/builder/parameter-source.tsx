import { readName, writeName } from "@rowhouse/access/written-name";
import { useTranslations } from "use-intl";
import { Checkbox } from "../../ui/checkbox.tsx";
import { DefaultValue } from "./default-value.tsx";
import type { Parameter } from "./draft.ts";
import { FieldPicker } from "./field-picker.tsx";
import { ResourceField } from "./resource-field.tsx";
import { useResource } from "./use-resource.ts";

type ValueParameter = Extract<Parameter, { readonly kind: "VALUE" }>;

interface ParameterSourceProps {
  readonly parameter: ValueParameter;
  readonly faultAt: (pointer: string) => string | undefined;
  readonly onChange: (parameter: Parameter, subject?: string) => void;
}

/** The column whose values are the choices of a parameter. */
export function ParameterSource({ parameter, faultAt, onChange }: ParameterSourceProps) {
  const t = useTranslations("dashboardBuilder");
  const { fields } = useResource(parameter.resourceId);
  const path = parameter.field === "" ? undefined : readName(parameter.field);
  const column = fields.find((field) => field.path === path)?.column;
  return (
    <>
      <ResourceField
        label={t("table")}
        resourceId={parameter.resourceId}
        fault={faultAt("/resourceId")}
        onChange={(resourceId) => onChange({ ...parameter, resourceId, field: "", default: null })}
      />
      {parameter.resourceId !== null && (
        <FieldPicker
          label={t("choicesOf")}
          hint={t("choicesHint")}
          fields={fields}
          path={path}
          fault={faultAt("/field")}
          onPick={(field) =>
            onChange({ ...parameter, field: writeName(field.path), default: null })
          }
        />
      )}
      <Checkbox
        label={t("multiple")}
        isChecked={parameter.multiple === true}
        onChange={(multiple) => onChange({ ...parameter, multiple, default: null })}
      />
      {column !== undefined && (
        <DefaultValue
          key={`${path} ${parameter.multiple}`}
          column={column}
          isMultiple={parameter.multiple === true}
          value={parameter.default}
          fault={faultAt("/default")}
          onChange={(value) => onChange({ ...parameter, default: value })}
        />
      )}
    </>
  );
}
