import { readName, writeName } from "@rowhouse/access/written-name";
import { useTranslations } from "use-intl";
import { Checkbox } from "../../ui/checkbox.tsx";
import { AggregateList } from "./aggregate-list.tsx";
import { type FigurePanel, timeUnits } from "./draft.ts";
import { FieldPicker } from "./field-picker.tsx";
import type { PanelForm } from "./panel-form.ts";
import { SelectField } from "./select-field.tsx";

/** The measure of a figure, what it is compared with, and its course. */
export function FigureForm(form: PanelForm<FigurePanel>) {
  const { panel, fields, faultAt, onChange } = form;
  const t = useTranslations("dashboardBuilder");
  const { definition, presentation } = panel;
  const { time } = definition;
  const define = (changes: Partial<FigurePanel["definition"]>) =>
    onChange({ ...panel, definition: { ...definition, ...changes } });
  return (
    <>
      <AggregateList
        terms={definition.aggregate}
        max={1}
        fields={fields}
        faultAt={(index) =>
          faultAt(`/definition/aggregate/${index}`) ?? faultAt("/definition/aggregate")
        }
        onChange={(aggregate) => define({ aggregate })}
      />
      <FieldPicker
        label={t("timeColumn")}
        hint={t("timeHint")}
        fields={fields.filter(({ role }) => role === "TIME")}
        path={time === undefined ? undefined : readName(time.field)}
        fault={faultAt("/definition/time")}
        onPick={({ path }) => define({ time: { ...time, field: writeName(path) } })}
        none={{
          label: t("noTime"),
          onPick: () => {
            const { time: _, comparison: __, sparkline: ___, ...rest } = definition;
            onChange({ ...panel, definition: rest });
          },
        }}
      />
      {time !== undefined && (
        <>
          <Checkbox
            label={t("comparison")}
            isChecked={definition.comparison === true}
            onChange={(comparison) => define({ comparison })}
          />
          <Checkbox
            label={t("sparkline")}
            isChecked={definition.sparkline === true}
            onChange={(sparkline) => define({ sparkline })}
          />
          {faultAt("/definition/comparison") !== undefined && (
            <p className="text-2 text-danger">{faultAt("/definition/comparison")}</p>
          )}
          {definition.sparkline === true && (
            <SelectField
              label={t("unit")}
              value={time.unit ?? "auto"}
              options={[
                { value: "auto" as const, label: t("automatic") },
                ...timeUnits.map((value) => ({ value, label: t(`units.${value}`) })),
              ]}
              onChange={(unit) =>
                define({
                  time: unit === "auto" ? { field: time.field } : { field: time.field, unit },
                })
              }
            />
          )}
          {definition.comparison === true && (
            <SelectField
              label={t("goodWhen")}
              value={presentation.goodWhen ?? "none"}
              options={[
                { value: "none" as const, label: t("goodNone") },
                { value: "UP" as const, label: t("goodUp") },
                { value: "DOWN" as const, label: t("goodDown") },
              ]}
              onChange={(goodWhen) => {
                const { goodWhen: _, ...rest } = presentation;
                onChange({
                  ...panel,
                  presentation: goodWhen === "none" ? rest : { ...rest, goodWhen },
                });
              }}
            />
          )}
        </>
      )}
    </>
  );
}
