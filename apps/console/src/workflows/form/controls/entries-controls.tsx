import { useTranslations } from "use-intl";
import { isObject } from "../../../records/filter/read-where.ts";
import { Plus } from "../../../ui/icons.generated.ts";
import { ToolButton } from "../../../ui/tool-button.tsx";
import type { ControlProps } from "../control-props.ts";
import { ExpressionField } from "../expression-field.tsx";
import { useForm } from "../form-context.ts";
import { isRequiredColumn, isWritable, type TableColumn, useTable } from "../use-table.ts";
import { ValueField } from "../value-field.tsx";
import { Entries } from "./entries.tsx";

/** Values by name; in a step on rows, by column. */
export function ValuesControl(props: ControlProps) {
  return "table" in useForm().value ? <ColumnValues {...props} /> : <NamedValues {...props} />;
}

/** The parameters of a URL. */
export function QueryControl(props: ControlProps) {
  return <NamedValues {...props} />;
}

function NamedValues({ label, pointer, value, onChange }: ControlProps) {
  return (
    <Entries label={label} pointer={pointer} value={value} onChange={onChange} first="">
      {(entry) => <ValueField {...entry} />}
    </Entries>
  );
}

function ColumnValues({ label, pointer, value, onChange }: ControlProps) {
  const t = useTranslations("workflowForm.table");
  const { value: step } = useForm();
  const { columns } = useTable();
  const byName = new Map(columns.map((column) => [column.name, column]));
  const object = isObject(value) ? value : {};
  const missing =
    step.kind === "createRow"
      ? columns.filter((one) => isRequiredColumn(one) && !Object.hasOwn(object, one.name))
      : [];
  return (
    <>
      <Entries
        label={label}
        pointer={pointer}
        value={value}
        onChange={onChange}
        first=""
        names={columns.filter(isWritable).map(({ name }) => name)}
        noteOf={(name) => noteOf(byName.get(name), columns.length > 0, t("unknownColumn"))}
      >
        {(entry) => {
          const labels = byName.get(entry.name)?.values?.join(", ");
          return <ValueField {...entry} placeholder={labels} />;
        }}
      </Entries>
      {missing.length > 0 && (
        <ToolButton
          className="justify-self-start"
          onClick={() =>
            onChange({ ...object, ...Object.fromEntries(missing.map(({ name }) => [name, ""])) })
          }
        >
          <Plus size={14} aria-hidden="true" />
          {t("addRequired", { count: missing.length })}
        </ToolButton>
      )}
    </>
  );
}

function noteOf(column: TableColumn | undefined, isLoaded: boolean, unknown: string) {
  if (column !== undefined) return column.dataType;
  return isLoaded ? unknown : undefined;
}

const headerNames = [
  ...["Accept", "Accept-Language", "Content-Type", "If-Match", "If-None-Match", "Prefer"],
  ...["User-Agent", "X-Api-Key", "X-Request-Id"],
];

/** The headers of a request. */
export function HeadersControl({ label, pointer, value, onChange }: ControlProps) {
  return (
    <Entries
      label={label}
      pointer={pointer}
      value={value}
      onChange={onChange}
      first=""
      names={headerNames}
    >
      {(entry) => (
        <ExpressionField
          kind="TEMPLATE"
          isLine
          label={entry.label}
          text={typeof entry.value === "string" ? entry.value : ""}
          onChange={entry.onChange}
        />
      )}
    </Entries>
  );
}
