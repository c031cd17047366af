import { readName, writeName } from "@rowhouse/access/written-name";
import { useTranslations } from "use-intl";
import { IconButton } from "../../ui/icon-button.tsx";
import { ArrowDown, ArrowUp, X } from "../../ui/icons.generated.ts";
import type { ListPanel } from "./draft.ts";
import { FieldPicker } from "./field-picker.tsx";
import { NumberField } from "./number-field.tsx";
import type { PanelForm } from "./panel-forms.tsx";
import { OrderList } from "./term-lists.tsx";
import { useTermWords } from "./use-term-words.ts";

/** The columns, order and number of the rows of a list. */
export function ListForm(form: PanelForm<ListPanel>) {
  const { panel, fields, faultAt, onChange } = form;
  const t = useTranslations("dashboardBuilder");
  const { labelOf } = useTermWords(fields);
  const { definition, presentation } = panel;
  const paths = (definition.fields ?? []).map(readName);
  const define = (changes: Partial<ListPanel["definition"]>) => {
    const shown = changes.fields === undefined ? definition.fields : changes.fields;
    const columns = presentation.columns.filter(({ field }) => shown?.includes(field) !== false);
    onChange({
      ...panel,
      definition: { ...definition, ...changes },
      presentation: { ...presentation, columns },
    });
  };
  const show = (next: readonly string[]) =>
    define({ fields: next.length === 0 ? null : next.map(writeName) });
  const moveTo = (index: number, to: number) => {
    const next = paths.filter((_, at) => at !== index);
    next.splice(to, 0, paths[index] ?? "");
    show(next);
  };
  return (
    <>
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 font-medium">{t("columns")}</legend>
        {paths.length === 0 && <p className="text-2 text-ink-2">{t("allColumns")}</p>}
        {paths.length > 0 && (
          <ol className="grid gap-1">
            {paths.map((path, index) => (
              <li key={path} className="flex min-w-0 items-center gap-1">
                <span className="min-w-0 flex-1 truncate" dir="auto" title={labelOf(path)}>
                  {labelOf(path)}
                </span>
                <IconButton
                  label={t("columnEarlier", { name: labelOf(path) })}
                  icon={ArrowUp}
                  onPress={index === 0 ? null : () => moveTo(index, index - 1)}
                />
                <IconButton
                  label={t("columnLater", { name: labelOf(path) })}
                  icon={ArrowDown}
                  onPress={index === paths.length - 1 ? null : () => moveTo(index, index + 1)}
                />
                <IconButton
                  label={t("removeColumn", { name: labelOf(path) })}
                  icon={X}
                  onPress={() => show(paths.filter((_, at) => at !== index))}
                />
              </li>
            ))}
          </ol>
        )}
        <FieldPicker
          key={paths.length}
          label={t("addColumn")}
          fields={fields.filter(({ path }) => !paths.includes(path))}
          path={undefined}
          fault={faultAt("/definition/fields")}
          onPick={({ path }) => show([...paths, path])}
        />
      </fieldset>
      <OrderList
        terms={definition.orderBy ?? []}
        choices={fields.map(({ path, label }) => ({ name: path, label }))}
        faultAt={(index) =>
          faultAt(`/definition/orderBy/${index}`) ?? faultAt("/definition/orderBy")
        }
        onChange={(orderBy) => define({ orderBy })}
      />
      <NumberField
        label={t("rowLimit")}
        value={definition.limit ?? null}
        min={1}
        max={1000}
        isOptional
        hint={t("usualLimit")}
        fault={faultAt("/definition/limit")}
        onChange={(limit) => define({ limit })}
      />
    </>
  );
}
