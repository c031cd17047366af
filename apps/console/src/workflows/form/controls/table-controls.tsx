import { useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { FilterBar } from "../../../records/filter/filter-bar.tsx";
import type { OperandTemplateProps, Where } from "../../../records/filter/filter-tree.ts";
import { isObject } from "../../../records/filter/read-where.ts";
import { useFilterResource } from "../../../records/filter/use-filter-resource.ts";
import { useOwnWays, WaysProvider } from "../../../records/values/ways.ts";
import { Combobox } from "../../../ui/combobox.tsx";
import { type ControlProps, controlClasses } from "../control-props.ts";
import { ExpressionField } from "../expression-field.tsx";
import { FaultLines } from "../field-frame.tsx";
import { useFaults, useForm } from "../form-context.ts";
import { JsonField } from "../json-field.tsx";
import { pointerTo, withItem } from "../members.ts";
import { tableOf, useTable } from "../use-table.ts";
import { ValueField } from "../value-field.tsx";

const shownMax = 60;

/** The table of a step, which is found by a part of its name. The schema follows it. */
export function TableControl({ id, describedBy, isInvalid, value }: ControlProps) {
  const t = useTranslations("workflowForm.table");
  const { value: step, change } = useForm();
  const { schema, table } = tableOf(step);
  const { all, entry } = useTable();
  const [typed, setTyped] = useState<string>();
  const schemaFaults = useFaults("/schema");
  const present = table === "" ? "" : `${schema}.${table}`;
  const search = (typed ?? "").trim().toLowerCase();
  const found = (all ?? []).filter((one) =>
    `${one.schema}.${one.name} ${one.label ?? ""}`.toLowerCase().includes(search),
  );
  const isUnknown = all !== undefined && entry === undefined && value !== undefined && table !== "";
  const choose = (name: string) => {
    setTyped(undefined);
    const chosen = found.find((one) => one.id === name);
    if (chosen === undefined) return;
    const isDefault = chosen.schema === "public" && step.schema === undefined;
    change({ table: chosen.name, ...(isDefault ? {} : { schema: chosen.schema }) });
  };
  return (
    <>
      <Combobox
        id={id}
        label={undefined}
        text={typed ?? present}
        onText={setTyped}
        options={found.slice(0, shownMax).map((one) => ({
          id: one.id,
          label: `${one.schema}.${one.name}`,
          detail: one.label ?? t(one.kind),
        }))}
        chosen={entry?.id}
        onChoose={choose}
        onOpen={() => setTyped("")}
        onLeave={() => setTyped(undefined)}
        message={all === undefined ? t("loading") : found.length === 0 ? t("notFound") : undefined}
        placeholder={present === "" ? t("choose") : typed === undefined ? undefined : present}
        inputClassName={controlClasses}
        describedBy={describedBy}
        isInvalid={isInvalid || schemaFaults.length > 0}
      />
      {isUnknown && (
        <p role="alert" className="text-2 text-warn">
          {t("unknown", { name: present })}
        </p>
      )}
      <FaultLines faults={schemaFaults} />
    </>
  );
}

const forms = ["TEXT", "NUMBER"] as const;

/** The primary key of a row: one value, or one for each column of the key. */
export function KeyControl(props: ControlProps) {
  const { label, pointer, describedBy, field, value, onChange } = props;
  const { detail } = useTable();
  const columns = detail?.primaryKey ?? [];
  if (!Array.isArray(value) && columns.length < 2) {
    return <ValueField {...props} forms={forms} isOptional={!field.isRequired} />;
  }
  const parts: readonly unknown[] = Array.isArray(value)
    ? value
    : value === undefined
      ? []
      : [value];
  const count = Math.max(parts.length, columns.length);
  const change = (index: number, next: unknown) => {
    const filled = Array.from({ length: count }, (_one, at) => parts[at] ?? "");
    const changed = withItem(filled, index, next ?? "");
    onChange(changed.every((one) => one === "") && !field.isRequired ? undefined : changed);
  };
  return (
    <div className="grid gap-1">
      {Array.from({ length: count }, (_one, index) => {
        const name = columns[index] ?? String(index + 1);
        return (
          <div
            key={name}
            data-pointer={pointerTo(pointer, index)}
            className="grid grid-cols-[minmax(0,2fr)_minmax(0,5fr)] items-start gap-2"
          >
            <code dir="auto" className="truncate font-mono text-2 leading-7.5" title={name}>
              {name}
            </code>
            <ValueField
              label={`${label} ${name}`}
              pointer={pointerTo(pointer, index)}
              describedBy={describedBy}
              value={parts[index] ?? ""}
              onChange={(next) => change(index, next)}
              forms={forms}
            />
          </div>
        );
      })}
    </div>
  );
}

/** A filter on the rows of the step's table, in the builder of the grid; values may be templates. */
export function FilterControl(props: ControlProps) {
  const { pointer, value, onChange } = props;
  const t = useTranslations("workflowForm.table");
  const ways = useOwnWays();
  const { all, entry } = useTable();
  const { found } = useFilterResource(entry?.id);
  const faults = useFaults(pointer);
  const shown = useMemo(
    () =>
      faults.map((fault) => ({
        ...fault,
        path: `/data/where${fault.path.slice(pointer.length)}`,
      })),
    [faults, pointer],
  );
  const where = useMemo(() => (isObject(value) ? value : undefined), [value]);
  if (all !== undefined && entry === undefined) {
    return <JsonField {...props} isOptional />;
  }
  if (found === undefined) return <p className="text-ink-2">{t("loading")}</p>;
  return (
    <WaysProvider value={ways}>
      <FilterBar
        resource={found.resource}
        resources={found.resources}
        where={where}
        onChange={(next: Where | undefined) => onChange(next)}
        faults={shown}
        Template={OperandTemplate}
      />
    </WaysProvider>
  );
}

function OperandTemplate({ label, text, onChange }: OperandTemplateProps) {
  return <ExpressionField kind="TEMPLATE" isLine label={label} text={text} onChange={onChange} />;
}
