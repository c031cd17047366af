import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { RowPicker } from "../editors/row-picker.tsx";
import { ValueEditor } from "../editors/value-editor.tsx";
import { FileEditor } from "../library/file-editor.tsx";
import { isFileField } from "../library/file-record.ts";
import {
  type CompositeReference,
  endedReference,
  heldColumns,
  isReferenceSet,
} from "../model/reference.ts";
import { type Row, referenceOf } from "../model/resource.ts";

interface FieldEditorProps {
  readonly resource: NavigationResource;
  readonly column: NavigationColumn;
  /** The resource that the column refers to, if the person may see it. */
  readonly target: NavigationResource | undefined;
  readonly row: Row;
  readonly value: unknown;
  readonly isNew: boolean;
  /** What an undefined value means; without it, that the column has its default. */
  readonly unset?: string;
  readonly autoFocus?: boolean;
  readonly fault: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** Edits one value of a record by the type of its column; of a reference, by the rows that it may refer to. */
export function FieldEditor(props: FieldEditorProps) {
  const { resource, column, target } = props;
  const relation = referenceOf(resource, column);
  if (target !== undefined && isFileField(column, target)) {
    return <FileEditor {...props} resource={target} />;
  }
  if (relation === undefined || target === undefined) return <ValueEditor {...props} />;
  return (
    <RowPicker
      {...props}
      reference={{ relation, target }}
      onPick={(values) => props.onChange(values?.[column.name] ?? null)}
    />
  );
}

/** Chooses the row that several columns refer to together, and sets all of them. */
export function ReferenceEditor({
  resource,
  reference,
  row,
  autoFocus,
  fault,
  onChange,
}: {
  readonly resource: NavigationResource;
  readonly reference: CompositeReference;
  /** The values of the form. */
  readonly row: Row;
  readonly autoFocus: boolean;
  readonly fault: string | undefined;
  readonly onChange: (values: Row) => void;
}) {
  const { relation, columns, writable } = reference;
  const [first] = columns;
  if (first === undefined) return null;
  const isSet = isReferenceSet(reference, row);
  return (
    <RowPicker
      // A reference that is ended frees the values that it shares with another one.
      column={{ ...first, name: relation.name, label: relation.label, nullable: true }}
      value={isSet ? columns.map(({ name }) => String(row[name])).join(", ") : null}
      row={row}
      held={heldColumns(resource, reference, row)}
      reference={reference}
      autoFocus={autoFocus}
      fault={fault}
      onChange={() => {}}
      onPick={(values) =>
        onChange(
          values === null
            ? endedReference(resource, reference, row)
            : Object.fromEntries(Object.entries(values).filter(([name]) => writable.has(name))),
        )
      }
    />
  );
}
