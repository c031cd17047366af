import { readName, writeName } from "@rowhouse/access/written-name";
import { useId, useState } from "react";
import { useTranslations } from "use-intl";
import { UnreadList, UnreadText } from "../../records/editors/draft.ts";
import { ValueEditor } from "../../records/editors/value-editor.tsx";
import type { NavigationColumn } from "../../shell/navigation.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { describedBy, Field, inputClasses } from "../../ui/field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { ArrowDown, ArrowUp, Trash2 } from "../../ui/icons.generated.ts";
import { TextField } from "../../ui/text-field.tsx";
import { namedPeriods } from "../model/open-dashboard.ts";
import type { Parameter, Period } from "./draft.ts";
import { FieldPicker } from "./field-picker.tsx";
import { ResourceField } from "./resource-field.tsx";
import { SelectField } from "./select-field.tsx";
import { useResource } from "./use-resource.ts";

interface ParameterFormProps {
  readonly parameter: Parameter;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** The number of panels that it narrows. */
  readonly bound: number;
  readonly faultAt: (pointer: string) => string | undefined;
  readonly onChange: (parameter: Parameter, subject?: string) => void;
  readonly onMove: (by: 1 | -1) => void;
  readonly onDelete: () => void;
}

/** One parameter: its name, its choices, and its value for a reader who has chosen none. */
export function ParameterForm(props: ParameterFormProps) {
  const { parameter, bound, faultAt, onChange, onMove } = props;
  const t = useTranslations("dashboardBuilder");
  const id = useId();
  const name = parameter.label || parameter.name;
  return (
    <section aria-labelledby={id} className="grid gap-3 rounded-panel border border-line p-3">
      <div className="flex items-center gap-1">
        <h3 id={id} dir="auto" className="min-w-0 flex-1 truncate font-semibold">
          {name}
        </h3>
        <IconButton
          label={t("parameterEarlier", { name })}
          icon={ArrowUp}
          onPress={props.isFirst ? null : () => onMove(-1)}
        />
        <IconButton
          label={t("parameterLater", { name })}
          icon={ArrowDown}
          onPress={props.isLast ? null : () => onMove(1)}
        />
        <IconButton label={t("deleteParameter", { name })} icon={Trash2} onPress={props.onDelete} />
      </div>
      <p className="text-2 text-ink-2">
        {t(`parameterKinds.${parameter.kind}`)} · {t("bound", { count: bound })}
      </p>
      <TextField
        label={t("label")}
        name="parameter-label"
        autoComplete="off"
        value={parameter.label}
        onChange={(label) => onChange({ ...parameter, label }, "label")}
        fault={faultAt("/label")}
      />
      <TextField
        label={t("parameterName")}
        name="parameter-name"
        autoComplete="off"
        hint={t("parameterNameHint")}
        value={parameter.name}
        onChange={(next) => onChange({ ...parameter, name: next }, "name")}
        fault={faultAt("/name")}
      />
      {parameter.kind === "PERIOD" && (
        <PeriodDefault
          value={parameter.default ?? null}
          fault={faultAt("/default")}
          onChange={(value) => onChange({ ...parameter, default: value })}
        />
      )}
      {parameter.kind === "VALUE" && (
        <ParameterSource {...{ parameter, faultAt }} onChange={onChange} />
      )}
      {parameter.kind === "PERSON" && (
        <Checkbox
          label={t("startsWithMe")}
          isChecked={parameter.default === "ME"}
          onChange={(isMe) => onChange({ ...parameter, default: isMe ? "ME" : null })}
        />
      )}
    </section>
  );
}

interface PeriodDefaultProps {
  readonly value: Period | null;
  readonly fault: string | undefined;
  readonly onChange: (value: Period | null) => void;
}

const dayMs = 86_400_000;

/** The period of a reader who has chosen none. */
function PeriodDefault({ value, fault, onChange }: PeriodDefaultProps) {
  const t = useTranslations("dashboardBuilder");
  const periods = useTranslations("dashboards");
  const id = useId();
  const own = typeof value === "object" ? value : null;
  const chosen = value === null ? "ALL" : typeof value === "string" ? value : "OWN";
  const choose = (next: typeof chosen) => {
    if (next === "ALL") onChange(null);
    else if (next !== "OWN") onChange(next);
    else onChange({ from: dayAt(-30), until: dayAt(1) });
  };
  return (
    <div className="grid gap-2">
      <SelectField
        label={t("startsWith")}
        value={chosen}
        options={(["ALL", ...namedPeriods, "OWN"] as const).map((period) => ({
          value: period,
          label: periods(`period.${period}`),
        }))}
        fault={fault}
        onChange={choose}
      />
      {own !== null && (
        <div className="grid grid-cols-2 gap-2">
          <Field id={`${id}-from`} label={periods("first")}>
            <input
              {...describedBy(`${id}-from`, undefined, undefined)}
              id={`${id}-from`}
              type="date"
              value={own.from}
              onChange={({ target }) => {
                if (target.value !== "") onChange({ ...own, from: target.value });
              }}
              className={inputClasses}
            />
          </Field>
          <Field id={`${id}-until`} label={t("before")}>
            <input
              id={`${id}-until`}
              type="date"
              value={own.until}
              onChange={({ target }) => {
                if (target.value !== "") onChange({ ...own, until: target.value });
              }}
              className={inputClasses}
            />
          </Field>
        </div>
      )}
    </div>
  );
}

/** The day that is some days from now. */
function dayAt(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString().slice(0, "2026-01-31".length);
}

type ValueParameter = Extract<Parameter, { readonly kind: "VALUE" }>;

interface ParameterSourceProps {
  readonly parameter: ValueParameter;
  readonly faultAt: (pointer: string) => string | undefined;
  readonly onChange: (parameter: Parameter, subject?: string) => void;
}

/** The column whose values are the choices of a parameter. */
function ParameterSource({ parameter, faultAt, onChange }: ParameterSourceProps) {
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
          // The service checks that it is a value of the column.
          onChange={(value) =>
            onChange({ ...parameter, default: value as typeof parameter.default })
          }
        />
      )}
    </>
  );
}

interface DefaultValueProps {
  readonly column: NavigationColumn;
  readonly isMultiple: boolean;
  readonly value: unknown;
  readonly fault: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** The value of a parameter for readers who have chosen none. A text that is no value stays in the editor alone. */
function DefaultValue({ column, isMultiple, value, fault, onChange }: DefaultValueProps) {
  const t = useTranslations("dashboardBuilder");
  const id = useId();
  const [unread, setUnread] = useState<UnreadText | UnreadList>();
  return (
    <Field id={id} label={t("startsWith")} hint={t("startsWithHint")}>
      <ValueEditor
        id={id}
        column={{ ...column, array: isMultiple, nullable: true }}
        value={unread ?? value ?? null}
        fault={fault}
        onChange={(next) => {
          const isUnread = next instanceof UnreadText || next instanceof UnreadList;
          setUnread(isUnread ? next : undefined);
          if (isUnread) return;
          onChange(Array.isArray(next) && next.length === 0 ? null : (next ?? null));
        }}
      />
    </Field>
  );
}
