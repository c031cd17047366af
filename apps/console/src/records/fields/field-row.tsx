import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { NavigationRelation, NavigationResource } from "../../shell/navigation.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { ChevronRight, Lock } from "../../ui/icons.generated.ts";
import { isFileField } from "../library/file-record.ts";
import { FileSummary } from "../library/file-summary.tsx";
import type { PushRecord } from "../model/record-path.ts";
import { referencedKey, targetOf } from "../model/reference.ts";
import { type Row, referenceOf, titleOf } from "../model/resource.ts";
import { CellValue } from "../values/cell-value.tsx";
import { FieldEditor, ReferenceEditor } from "./field-editor.tsx";
import type { FieldFaults, FormField } from "./form-fields.ts";

interface FieldRowProps {
  readonly field: FormField;
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  /** The row as the service has it; of a new one, its values. */
  readonly stored: Row;
  /** The values of the form. */
  readonly row: Row;
  /** Whether the row does not exist yet. */
  readonly isNew: boolean;
  readonly isLocked: boolean;
  /** Whether the form begins here; the editor then has the focus. */
  readonly isFirst?: boolean;
  readonly faults: FieldFaults;
  /** Null where no other record can be opened. */
  readonly onPush: PushRecord | null;
  readonly onChange: (values: Row) => void;
}

/** The name of a field and the editor of its value. */
export function FieldRow(props: FieldRowProps) {
  const { field, resource, resources, row, faults, isNew, isFirst = false } = props;
  const { onPush, onChange } = props;
  if (field.kind === "REFERENCE") {
    const { relation, target, columns } = field.reference;
    return (
      <Frame
        title={relation.label}
        description={columns.map(titleOf).join(", ")}
        isRequired={isNew && columns.some(({ required }) => required)}
        isReference
        open={openReference(relation, target, row, onPush)}
      >
        <ReferenceEditor
          resource={resource}
          reference={field.reference}
          row={row}
          autoFocus={isFirst}
          fault={columns.map(({ name }) => faults.of(name)).find((fault) => fault !== undefined)}
          onChange={onChange}
        />
      </Frame>
    );
  }
  const { column } = field;
  const relation = referenceOf(resource, column);
  const target = targetOf(resources, relation);
  const value = row[column.name];
  const isFile = target !== undefined && isFileField(column, target) && typeof value === "string";
  return (
    <Frame
      title={titleOf(column)}
      description={
        column.description === null ? column.name : `${column.description} · ${column.name}`
      }
      isRequired={isNew && column.required}
      isReference={relation !== undefined && target !== undefined}
      open={
        relation === undefined || target === undefined
          ? null
          : openReference(relation, target, row, onPush)
      }
    >
      {props.isLocked ? (
        <Locked>
          {isFile ? (
            <FileSummary id={String(value)} resource={target} />
          ) : (
            <CellValue column={column} value={value} />
          )}
        </Locked>
      ) : (
        <FieldEditor
          resource={resource}
          column={column}
          target={target}
          row={props.stored}
          isNew={isNew}
          autoFocus={isFirst}
          value={value}
          fault={faults.of(column.name)}
          onChange={(next) => onChange({ [column.name]: next })}
        />
      )}
    </Frame>
  );
}

/** A field that cannot be changed here, such as the record to which a new row belongs. */
export function LockedRow({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <Frame title={title} description={title} isRequired={false} isReference={false} open={null}>
      <Locked>
        <bdi>{text}</bdi>
      </Locked>
    </Frame>
  );
}

function Locked({ children }: { readonly children: ReactNode }) {
  const t = useTranslations("grid");
  return (
    <div className="flex min-h-7 items-center gap-2 rounded-control bg-sunken px-2 py-1.5">
      <div className="min-w-0 flex-1">{children}</div>
      <Lock size={12} role="img" aria-label={t("readOnly")} className="shrink-0 text-ink-3" />
    </div>
  );
}

/** Returns the function that opens the record of a reference; null if it has none that can be opened. */
function openReference(
  relation: NavigationRelation,
  target: NavigationResource,
  row: Row,
  onPush: PushRecord | null,
): (() => void) | null {
  const key = referencedKey(relation, target, row);
  return key === null || onPush === null ? null : () => onPush(target, key);
}

function Frame(props: {
  readonly title: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isReference: boolean;
  /** Opens the row that the field refers to. */
  readonly open: (() => void) | null;
  readonly children: ReactNode;
}) {
  const t = useTranslations("record");
  const { title, open } = props;
  return (
    <div
      className="grid min-h-8 grid-cols-[minmax(0,116px)_minmax(0,1fr)] items-start gap-2"
      onKeyDownCapture={(event) => {
        if (event.key !== "Enter" || !event.altKey || open === null) return;
        event.preventDefault();
        open();
      }}
    >
      <span className="truncate py-1 text-ink-2" title={props.description} dir="auto">
        <bdi>{title}</bdi>
        {props.isRequired && (
          <span className="text-danger" title={t("required")}>
            {" *"}
          </span>
        )}
      </span>
      <div className="flex min-w-0 items-start gap-0.5">
        <div className="min-w-0 flex-1">{props.children}</div>
        {open !== null && (
          <IconButton
            label={t("openRelated", { name: title })}
            icon={ChevronRight}
            fieldKey="Alt+Enter"
            onPress={open}
          />
        )}
        {open === null && props.isReference && (
          // The right edges of all editors of a form are in one line.
          <span className="w-7 shrink-0" />
        )}
      </div>
    </div>
  );
}
