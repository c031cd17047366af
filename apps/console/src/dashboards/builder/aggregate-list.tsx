import { useTranslations } from "use-intl";
import { valueKindOf } from "../../records/values/value-kind.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Plus, X } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { FieldPicker } from "./field-picker.tsx";
import { type Field, usualNumber } from "./fields.ts";
import { SelectField } from "./select-field.tsx";
import {
  type AggregateFunction,
  aggregateFunctions,
  readAggregate,
  writeAggregate,
} from "./terms.ts";

interface AggregateListProps {
  readonly terms: readonly string[];
  readonly max: number;
  readonly fields: readonly Field[];
  readonly faultAt: (index: number) => string | undefined;
  readonly onChange: (terms: readonly string[]) => void;
}

type Choice = "rows" | AggregateFunction;

/** What a panel computes of its rows. */
export function AggregateList({ terms, max, fields, faultAt, onChange }: AggregateListProps) {
  const t = useTranslations("dashboardBuilder");
  const change = (index: number, term: string) =>
    onChange(terms.map((one, at) => (at === index ? term : one)));
  const options = (["rows", ...aggregateFunctions] as const).map((value) => ({
    value,
    label: value === "rows" ? t("rows") : t(`functions.${value}`),
  }));
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium">{t("measures")}</legend>
      {terms.map((term, index) => {
        const read = readAggregate(term);
        const choice: Choice = read?.field === null ? "rows" : (read?.apply ?? "rows");
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a term is edited in its place
            key={index}
            className="flex items-end gap-1.5"
          >
            <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-2">
              <SelectField
                label={t("compute", { position: index + 1 })}
                value={choice}
                options={options}
                fault={faultAt(index)}
                onChange={(next) => change(index, termOf(next, read?.field ?? null, fields))}
              />
              {choice !== "rows" && (
                <FieldPicker
                  label={t("ofColumn")}
                  fields={fields.filter((field) => takes(choice, field))}
                  path={read?.field ?? undefined}
                  onPick={({ path }) =>
                    change(index, writeAggregate({ apply: choice, field: path }))
                  }
                />
              )}
            </div>
            {terms.length > 1 && (
              <IconButton
                label={t("removeMeasure", { position: index + 1 })}
                icon={X}
                onPress={() => onChange(terms.filter((_, at) => at !== index))}
              />
            )}
          </div>
        );
      })}
      {terms.length < max && (
        <div>
          <ToolButton kind="bare" onClick={() => onChange([...terms, nextTerm(terms, fields)])}>
            <Plus size={14} aria-hidden="true" />
            {t("addMeasure")}
          </ToolButton>
        </div>
      )}
    </fieldset>
  );
}

/** Whether a function can be applied to a field. */
function takes(apply: AggregateFunction, { role, column }: Field): boolean {
  if (column.array) return apply === "count";
  if (apply === "sum" || apply === "avg") {
    return role === "NUMBER" || ["INTEGER", "DECIMAL", "FLOAT"].includes(valueKindOf(column));
  }
  if (apply === "min" || apply === "max") return role === "NUMBER" || role === "TIME";
  return true;
}

function termOf(choice: Choice, path: string | null, fields: readonly Field[]): string {
  if (choice === "rows") return writeAggregate({ apply: "count", field: null });
  const fitting = fields.filter((field) => takes(choice, field));
  const field =
    fitting.find((one) => one.path === path) ?? usualNumber(fitting) ?? fitting[0] ?? null;
  return writeAggregate({ apply: choice, field: field?.path ?? null });
}

/** The first measure that the panel lacks: the rows, else the sum of a number. */
function nextTerm(terms: readonly string[], fields: readonly Field[]): string {
  const candidates = [
    writeAggregate({ apply: "count", field: null }),
    ...(["sum", "avg", "max", "min"] as const).flatMap((apply) =>
      fields
        .filter((field) => field.isOwn && field.role === "NUMBER")
        .map(({ path }) => writeAggregate({ apply, field: path })),
    ),
    ...fields.map(({ path }) => writeAggregate({ apply: "count", field: path })),
  ];
  return candidates.find((term) => !terms.includes(term)) ?? candidates[0] ?? "count(*)";
}
