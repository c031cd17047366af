import { useTranslations } from "use-intl";
import { Checkbox } from "../../ui/checkbox.tsx";
import { AggregateList } from "./aggregate-list.tsx";
import { type ChartPanel, chartForms } from "./draft.ts";
import { GroupList } from "./group-list.tsx";
import { NumberField } from "./number-field.tsx";
import { OrderList } from "./order-list.tsx";
import type { PanelForm } from "./panel-form.ts";
import { SelectField } from "./select-field.tsx";
import { readGroup, readOrder } from "./terms.ts";
import { useTermWords } from "./use-term-words.ts";

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
