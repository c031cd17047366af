import { useTranslations } from "use-intl";
import { valueKindOf } from "../../records/values/value-kind.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { ArrowDown, ArrowUp, Plus, X } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { TimeUnit } from "../model/open-panel.ts";
import { bucketUnits } from "./draft.ts";
import { FieldPicker } from "./field-picker.tsx";
import { type Field, usualNumber } from "./fields.ts";
import { type Facts, unitFor } from "./propose.ts";
import { SelectField } from "./select-field.tsx";
import {
  type AggregateFunction,
  aggregateFunctions,
  readAggregate,
  readGroup,
  readOrder,
  writeAggregate,
  writeGroup,
  writeOrder,
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
    ? bucketUnits.slice(bucketUnits.indexOf("day"))
    : bucketUnits;
}

interface OrderListProps {
  readonly terms: readonly string[];
  /** By what the rows can be ordered. */
  readonly choices: readonly { readonly name: string; readonly label: string }[];
  readonly faultAt: (index: number) => string | undefined;
  readonly onChange: (terms: readonly string[]) => void;
}

const none = "\u0000";

/** The order of the rows of a panel. */
export function OrderList({ terms, choices, faultAt, onChange }: OrderListProps) {
  const t = useTranslations("dashboardBuilder");
  const orders = terms.map(readOrder);
  const free = choices.filter(({ name }) => orders.every(({ field }) => field !== name));
  const change = (index: number, term: string) =>
    onChange(terms.map((one, at) => (at === index ? term : one)));
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium">{t("order")}</legend>
      {orders.map((order, index) => {
        const known = choices.find(({ name }) => name === order.field);
        const own = known ?? { name: order.field, label: order.field };
        const label = t("orderBy", { position: index + 1 });
        return (
          <div key={order.field} className="flex items-end gap-1.5">
            <div className="min-w-0 flex-1">
              <SelectField
                label={label}
                value={order.field}
                options={[own, ...free].map(({ name, label: text }) => ({
                  value: name,
                  label: text,
                }))}
                fault={faultAt(index)}
                onChange={(field) => change(index, writeOrder({ ...order, field }))}
              />
            </div>
            <IconButton
              label={t(order.isDescending ? "descending" : "ascending", { name: own.label })}
              icon={order.isDescending ? ArrowDown : ArrowUp}
              onPress={() =>
                change(index, writeOrder({ ...order, isDescending: !order.isDescending }))
              }
            />
            <IconButton
              label={t("removeOrder", { name: own.label })}
              icon={X}
              onPress={() => onChange(terms.filter((_, at) => at !== index))}
            />
          </div>
        );
      })}
      {free.length > 0 && terms.length < 4 && (
        <SelectField
          label={t("addOrder")}
          value={none}
          options={[
            { value: none, label: t("choose") },
            ...free.map(({ name, label }) => ({ value: name, label })),
          ]}
          onChange={(field) => {
            if (field !== none) onChange([...terms, writeOrder({ field, isDescending: false })]);
          }}
        />
      )}
    </fieldset>
  );
}
