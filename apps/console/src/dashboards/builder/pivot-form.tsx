import { useTranslations } from "use-intl";
import { Checkbox } from "../../ui/checkbox.tsx";
import { AggregateList } from "./aggregate-list.tsx";
import type { PivotPanel } from "./draft.ts";
import { GroupList } from "./group-list.tsx";
import type { PanelForm } from "./panel-form.ts";

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
