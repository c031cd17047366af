import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { UnreadText } from "../editors/draft.ts";
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
  /** Whether nothing stands beside the input. */
  readonly isBare?: boolean;
  /** Of a reference: the text of the present row, if the page has it, and the ids of rows that are not offered. */
  readonly text?: string | undefined;
  readonly taken?: ReadonlySet<string> | undefined;
  /** Enter, in a field of one line. */
  readonly onCommit?: (() => void) | undefined;
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
export function ReferenceEditor(props: {
  readonly resource: NavigationResource;
  readonly reference: CompositeReference;
  /** The values of the form. */
  readonly row: Row;
  readonly autoFocus?: boolean;
  /** The name of the field, if it is not that of the relation. */
  readonly label?: string;
  readonly unset?: string;
  readonly taken?: ReadonlySet<string> | undefined;
  readonly onCommit?: (() => void) | undefined;
  readonly fault: string | undefined;
  readonly onChange: (values: Row) => void;
}) {
  const { resource, reference, row, onChange } = props;
  const { relation, columns, writable } = reference;
  const [first] = columns;
  if (first === undefined) return null;
  const isSet = isReferenceSet(reference, row);
  // A text that names no row yet stands in one of the columns.
  const unread = columns.map(({ name }) => row[name]).find((value) => value instanceof UnreadText);
  const text = columns.find(({ name }) => writable.has(name)) ?? first;
  return (
    <RowPicker
      // A reference that is ended frees the values that it shares with another one.
      column={{
        ...first,
        name: relation.name,
        label: props.label ?? relation.label,
        nullable: true,
      }}
      value={unread ?? (isSet ? columns.map(({ name }) => String(row[name])).join(", ") : null)}
      unset={props.unset}
      row={row}
      held={heldColumns(resource, reference, row)}
      taken={props.taken}
      reference={reference}
      autoFocus={props.autoFocus === true}
      fault={props.fault}
      onCommit={props.onCommit}
      onChange={(value) => onChange({ [text.name]: value })}
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
