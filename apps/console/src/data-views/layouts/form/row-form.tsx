import { type KeyboardEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { UnreadText } from "../../../records/editors/draft.ts";
import { FieldEditor, ReferenceEditor } from "../../../records/fields/field-editor.tsx";
import {
  type FieldFaults,
  type FormField,
  fieldFaults,
  fieldName,
  formFields,
} from "../../../records/fields/form-fields.ts";
import { useUnsaved } from "../../../records/fields/save-form.tsx";
import { useFaultText, useRowFailureText } from "../../../records/model/fault-text.ts";
import { isEqual } from "../../../records/model/is-equal.ts";
import { targetOf } from "../../../records/model/reference.ts";
import { type Row, referenceOf, titleOf } from "../../../records/model/resource.ts";
import type { GridRow } from "../../../records/rows/row-store.ts";
import { CellValue } from "../../../records/values/cell-value.tsx";
import { hasInstants } from "../../../records/values/value-kind.ts";
import type { NavigationColumn, NavigationResource } from "../../../shell/navigation.ts";
import { ZoneNote } from "../../../shell/time/zone-note.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { KeyHint, ToolButton } from "../../../ui/tool-button.tsx";
import { columnsOf, defaultsOf, type FormSection, presetColumns } from "./form-draft.ts";
import { FormLine, FormPart, PresetFields } from "./form-part.tsx";

interface RowFormProps {
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly sections: readonly FormSection[];
  /** The columns that the system sets in this use of the form. */
  readonly presets: readonly string[];
  /** The row that is changed; null for a new one. */
  readonly row: GridRow | null;
  /** The failure of the last write. */
  readonly error: unknown;
  readonly isBusy: boolean;
  /** Whether nothing can be saved, as in a preview. */
  readonly isPreview: boolean;
  /** Writes what was typed; returns whether it is saved. */
  readonly onSave: (values: Row) => Promise<boolean>;
  /** Leaves the form without saving; null where there is nothing else to show. */
  readonly onCancel: (() => void) | null;
}

/** A form over one row, by the sections of a DataView. What was typed stays until it is saved. */
export function RowForm(props: RowFormProps) {
  const { resource, resources, sections, presets, row, error, isBusy, isPreview } = props;
  const t = useTranslations("viewForm");
  const words = useTranslations("record");
  const describe = useRowFailureText();
  const faultText = useFaultText();
  const use = row === null ? "CREATE" : "EDIT";
  const [initial] = useState<Row>(() => (row === null ? defaultsOf(sections) : {}));
  const [draft, setDraft] = useState(initial);
  const [isTried, setTried] = useState(false);
  const isWritable = (column: NavigationColumn) =>
    row === null ? column.creatable : column.updatable;
  const parts = sections
    .map((section) => ({ section, columns: columnsOf(resource, section, use, presets) }))
    .filter(({ columns }) => columns.length > 0);
  const columns = parts.flatMap((part) => part.columns);
  const set = Object.entries(draft).filter(([, value]) => value !== undefined);
  const isUnread = set.some(([, value]) => value instanceof UnreadText);
  const missing = columns.filter(
    ({ name, required }) => row === null && required && (draft[name] ?? null) === null,
  );
  const isTyped = Object.entries(draft).some(([name, value]) => !isEqual(value, initial[name]));
  useUnsaved(isTyped && !isPreview);
  const faults = fieldFaults(
    error,
    row === null ? "/data/0" : "/data/0/data",
    columns.map(({ name }) => name),
    (fault) => faultText(fault, resource.columns),
  );
  const save = async (): Promise<void> => {
    setTried(true);
    if (isUnread || isBusy || isPreview || missing.length > 0) return;
    if (row !== null && !isTyped) return;
    if (await props.onSave(Object.fromEntries(set))) setDraft(initial);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void save();
  };
  const change = (values: Row): void =>
    setDraft((last) => {
      const next = { ...last, ...values };
      if (row === null) return next;
      const changed = Object.entries(next).filter(
        ([name, value]) => !isEqual(value, row.values[name]),
      );
      return Object.fromEntries(changed);
    });
  return (
    <form
      noValidate
      aria-label={t(row === null ? "newRow" : "changeRow", { name: titleOf(resource) })}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={onKeyDown}
      className="grid max-w-160 gap-8"
    >
      {error !== undefined && !faults.isComplete && (
        <Notice kind="danger">{describe(error, resource.columns)}</Notice>
      )}
      {parts.map(({ section, columns: own }) => (
        <FormPart
          key={section.fields.map(({ field }) => field).join()}
          title={section.title}
          help={section.help}
        >
          {formFields(resource, resources, own, isWritable).map((field) => (
            <Field
              key={fieldName(field)}
              {...{ resource, resources, field, faults, isWritable }}
              help={helpOf(section, field)}
              isNew={row === null}
              stored={row?.values ?? draft}
              draft={row === null ? draft : { ...row.values, ...draft }}
              missing={isTried ? missing.map(({ name }) => name) : []}
              onChange={change}
            />
          ))}
        </FormPart>
      ))}
      <PresetFields columns={presetColumns(resource, presets)} values={row?.values} />
      <div className="flex flex-wrap items-center gap-3">
        <ToolButton kind="primary" disabled={isBusy || isPreview} onClick={() => void save()}>
          {t(row === null ? "create" : "save")}
          <KeyHint>Ctrl S</KeyHint>
        </ToolButton>
        {props.onCancel !== null && (
          <ToolButton
            onClick={() => {
              if (!isTyped || isPreview || confirm(words("leave"))) props.onCancel?.();
            }}
          >
            {words("cancel")}
          </ToolButton>
        )}
        {hasInstants(columns) && <ZoneNote />}
        <span role="status" className="text-2 text-ink-2">
          {isPreview && t("preview")}
          {isTried && missing.length > 0 && words("missingFields", { count: missing.length })}
        </span>
      </div>
    </form>
  );
}

function helpOf(section: FormSection, field: FormField): string | undefined {
  const names =
    field.kind === "COLUMN" ? [field.column.name] : field.reference.columns.map(({ name }) => name);
  return section.fields.find((one) => names.includes(one.field) && one.help !== undefined)?.help;
}

function Field(props: {
  readonly field: FormField;
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly help: string | undefined;
  readonly isNew: boolean;
  /** The row as the service has it; of a new one, its values. */
  readonly stored: Row;
  /** The values of the form. */
  readonly draft: Row;
  /** The required columns without a value, once the person has tried to save. */
  readonly missing: readonly string[];
  readonly faults: FieldFaults;
  readonly isWritable: (column: NavigationColumn) => boolean;
  readonly onChange: (values: Row) => void;
}) {
  const { field, resource, resources, help, isNew, stored, draft, missing, faults } = props;
  const t = useTranslations("viewForm");
  const faultOf = (name: string) =>
    faults.of(name) ?? (missing.includes(name) ? t("missing") : undefined);
  if (field.kind === "REFERENCE") {
    const { relation, columns } = field.reference;
    return (
      <FormLine
        title={relation.label}
        help={help}
        isRequired={isNew && columns.some(({ required }) => required)}
      >
        <ReferenceEditor
          resource={resource}
          reference={field.reference}
          row={draft}
          autoFocus={false}
          fault={columns.map(({ name }) => faultOf(name)).find((fault) => fault !== undefined)}
          onChange={(values) =>
            // The columns of a reference that a new row does not have are left to their defaults.
            props.onChange(
              isNew
                ? Object.fromEntries(
                    Object.entries(values).map(([name, value]) => [name, value ?? undefined]),
                  )
                : values,
            )
          }
        />
      </FormLine>
    );
  }
  const { column } = field;
  return (
    <FormLine title={titleOf(column)} help={help} isRequired={isNew && column.required}>
      {props.isWritable(column) ? (
        <FieldEditor
          resource={resource}
          column={column}
          target={targetOf(resources, referenceOf(resource, column))}
          row={stored}
          isNew={isNew}
          value={draft[column.name]}
          fault={faultOf(column.name)}
          onChange={(next) => props.onChange({ [column.name]: next })}
        />
      ) : (
        <div className="flex min-h-7 items-center">
          <CellValue column={column} value={draft[column.name]} />
        </div>
      )}
    </FormLine>
  );
}
