import type { NavigationResource } from "../../shell/navigation.ts";
import { RowPicker } from "../editors/row-picker.tsx";
import {
  type CompositeReference,
  endedReference,
  heldColumns,
  isReferenceSet,
} from "../model/reference.ts";
import type { Row } from "../model/resource.ts";

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
      column={{ ...first, name: relation.name, label: relation.name, nullable: true }}
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
