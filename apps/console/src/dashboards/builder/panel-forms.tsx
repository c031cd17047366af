import { readName, writeName } from "@rowhouse/access/written-name";
import { useTranslations } from "use-intl";
import type { FilterResource } from "../../records/filter/use-filter-resource.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import {
  bucketUnits,
  type ChartPanel,
  chartForms,
  type FigurePanel,
  type PivotPanel,
} from "./draft.ts";
import { FieldPicker } from "./field-picker.tsx";
import type { Field } from "./fields.ts";
import { NumberField } from "./number-field.tsx";
import type { Facts } from "./propose.ts";
import { SelectField } from "./select-field.tsx";
import { AggregateList, GroupList, OrderList } from "./term-lists.tsx";
import { readGroup, readOrder } from "./terms.ts";
import { useTermWords } from "./use-term-words.ts";

/** What the fields of a panel's form need besides the panel. */
export interface PanelForm<Panel> {
  readonly panel: Panel;
  readonly found: FilterResource;
  readonly fields: readonly Field[];
  readonly facts: Facts;
  /** The message at a JSON pointer within the panel. */
  readonly faultAt: (pointer: string) => string | undefined;
  /** @param subject changes of the same one in a row are undone together */
  readonly onChange: (panel: Panel, subject?: string) => void;
}

/** The form of a chart, its axis and series, its measures, order and limit. */
export function ChartForm(form: PanelForm<ChartPanel>) {
  const { panel, fields, facts, faultAt, onChange } = form;
  const t = useTranslations("dashboardBuilder");
  const words = useTermWords(fields);
  const { definition, presentation } = panel;
  const results = words.resultTexts(panel);
  const isTime = readGroup(definition.groupBy[0] ?? "")?.unit != null;
  const define = (changes: Partial<ChartPanel["definition"]>) => {
    const next = { ...panel, definition: { ...definition, ...changes } };
    // An order by a result that is gone would be refused.
    const names = new Set(words.resultTexts(next).map(({ name }) => name));
    const orderBy = next.definition.orderBy?.filter((term) => names.has(readOrder(term).field));
    onChange({
      ...next,
      definition: { ...next.definition, ...(orderBy === undefined ? {} : { orderBy }) },
    });
  };
  const look = (changes: Partial<ChartPanel["presentation"]>) =>
    onChange({ ...panel, presentation: { ...presentation, ...changes } });
  return (
    <>
      <SelectField
        label={t("form")}
        value={presentation.chart}
        options={chartForms.map((value) => ({ value, label: t(`forms.${value}`) }))}
        fault={faultAt("/presentation/chart")}
        onChange={(chart) => look({ chart })}
      />
      <GroupList
        title={t("groups")}
        labelAt={(index) => t(index === 0 ? "axis" : "series")}
        add={t(definition.groupBy.length === 0 ? "axis" : "addSeries")}
        terms={definition.groupBy}
        min={1}
        max={2}
        fields={fields}
        facts={facts}
        faultAt={(index) =>
          faultAt(`/definition/groupBy/${index}`) ?? faultAt("/definition/groupBy")
        }
        onChange={(groupBy) => define({ groupBy })}
      />
      <AggregateList
        terms={definition.aggregate}
        max={4}
        fields={fields}
        faultAt={(index) =>
          faultAt(`/definition/aggregate/${index}`) ?? faultAt("/definition/aggregate")
        }
        onChange={(aggregate) => define({ aggregate })}
      />
      {(presentation.chart === "bar" || presentation.chart === "stacked") && (
        <Checkbox
          label={t("horizontal")}
          isChecked={presentation.horizontal === true}
          onChange={(horizontal) => look({ horizontal })}
        />
      )}
      {isTime && (
        <Checkbox
          label={t("fillGaps")}
          isChecked={definition.fillGaps !== false}
          onChange={(fillGaps) => define({ fillGaps })}
        />
      )}
      <OrderList
        terms={definition.orderBy ?? []}
        choices={results}
        faultAt={(index) =>
          faultAt(`/definition/orderBy/${index}`) ?? faultAt("/definition/orderBy")
        }
        onChange={(orderBy) => define({ orderBy })}
      />
      <NumberField
        label={t("groupLimit")}
        hint={t("noLimit")}
        value={definition.limit ?? null}
        min={1}
        max={1000}
        isOptional
        fault={faultAt("/definition/limit")}
        onChange={(limit) => define({ limit })}
      />
    </>
  );
}

/** The rows, columns and measures of a pivot table. */
export function PivotForm(form: PanelForm<PivotPanel>) {
  const { panel, fields, facts, faultAt, onChange } = form;
  const t = useTranslations("dashboardBuilder");
  const { definition, presentation } = panel;
  const define = (changes: Partial<PivotPanel["definition"]>) =>
    onChange({ ...panel, definition: { ...definition, ...changes } });
  return (
    <>
      <GroupList
        title={t("pivotRows")}
        labelAt={(index) => t("pivotRow", { position: index + 1 })}
        add={t("addRow")}
        terms={definition.rows}
        min={1}
        max={3}
        {...{ fields, facts }}
        faultAt={(index) => faultAt(`/definition/rows/${index}`) ?? faultAt("/definition/rows")}
        onChange={(rows) => define({ rows })}
      />
      <GroupList
        title={t("pivotColumns")}
        labelAt={(index) => t("pivotColumn", { position: index + 1 })}
        add={t("addPivotColumn")}
        terms={definition.columns}
        min={0}
        max={2}
        {...{ fields, facts }}
        faultAt={(index) => faultAt(`/definition/columns/${index}`)}
        onChange={(columns) => define({ columns })}
      />
      <AggregateList
        terms={definition.aggregate}
        max={4}
        fields={fields}
        faultAt={(index) =>
          faultAt(`/definition/aggregate/${index}`) ?? faultAt("/definition/aggregate")
        }
        onChange={(aggregate) => define({ aggregate })}
      />
      <Checkbox
        label={t("totals")}
        isChecked={presentation.totals === true}
        onChange={(totals) => onChange({ ...panel, presentation: { ...presentation, totals } })}
      />
    </>
  );
}

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
                ...bucketUnits.map((value) => ({ value, label: t(`units.${value}`) })),
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
