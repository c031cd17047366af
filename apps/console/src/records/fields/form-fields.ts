import { type Fault, RowhouseError } from "@rowhouse/client";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { type CompositeReference, targetOf } from "../model/reference.ts";
import { referenceOf } from "../model/resource.ts";

/** A field of a form: a column, or a reference of several columns. */
export type FormField =
  | { readonly kind: "COLUMN"; readonly column: NavigationColumn }
  | { readonly kind: "REFERENCE"; readonly reference: CompositeReference };

/** A name of a field that no other field of its form has. */
export function fieldName(field: FormField): string {
  return field.kind === "COLUMN"
    ? `column ${field.column.name}`
    : `reference ${field.reference.relation.name}`;
}

/**
 * Returns the fields of a form. A reference of several columns is one field in the place of the first of them; a column
 * that is a reference by itself too keeps its own field.
 *
 * @param columns those of the form
 */
export function formFields(
  resource: NavigationResource,
  resources: readonly NavigationResource[],
  columns: readonly NavigationColumn[],
  isWritable: (column: NavigationColumn) => boolean,
): readonly FormField[] {
  const references = resource.relations.flatMap((relation): CompositeReference[] => {
    const pairs = relation.foreignKey === "OWN" ? (relation.columns ?? []) : [];
    const target = targetOf(resources, relation);
    const own = columns.filter(({ name }) => pairs.some(({ from }) => from === name));
    const readable = target?.columns.filter((column) => column.readable) ?? [];
    const isChosen = pairs.every(({ to }) => readable.some(({ name }) => name === to));
    const writable = new Set(own.filter(isWritable).map(({ name }) => name));
    const isOne = pairs.length > 1 && own.length > 0 && writable.size > 0 && isChosen;
    return isOne && target !== undefined ? [{ relation, target, columns: own, writable }] : [];
  });
  const placed = new Set<CompositeReference>();
  return columns.flatMap((column): FormField[] => {
    const over = references.filter((one) => one.columns.includes(column));
    const single = targetOf(resources, referenceOf(resource, column));
    const fields = over
      .filter((one) => !placed.has(one))
      .map((reference): FormField => {
        placed.add(reference);
        return { kind: "REFERENCE", reference };
      });
    return over.length > 0 && single === undefined
      ? fields
      : [{ kind: "COLUMN", column }, ...fields];
  });
}

/** The faults of a failed write by the columns that they name. */
export interface FieldFaults {
  /** Returns the sentence of the service about a column. */
  of(name: string): string | undefined;
  /** Whether every fault has a column of the form, so that none is left to show above it. */
  readonly isComplete: boolean;
}

const rowOfBatch = /^\/data\/\d+\/data\//;

/**
 * Places the faults of a failed write at the fields of a form.
 *
 * @param base the JSON pointer of the row in the request; in a batch that of the first one, which stands for all rows
 * @param names the columns of the form
 */
export function fieldFaults(
  error: unknown,
  base: string,
  names: readonly string[],
  textOf: FaultText,
): FieldFaults {
  return placeFaults(error instanceof RowhouseError ? error.faults : [], base, names, textOf);
}

/** Returns the sentence for a fault in the person's language. */
export type FaultText = (fault: Fault) => string;

/** Places faults of one row at the fields of a form, as `fieldFaults` does. */
export function placeFaults(
  faults: readonly Fault[],
  base: string,
  names: readonly string[],
  textOf: FaultText,
): FieldFaults {
  const namesOf = (fault: Fault): readonly string[] => {
    // A violated key has no place in the request, but the names of its columns.
    const { fields } = fault.details ?? {};
    const keyed = Array.isArray(fields) ? fields.map(String) : [];
    const path = fault.path?.replace(rowOfBatch, "/data/0/data/");
    return names.filter((name) => path === pointerIn(base, name) || keyed.includes(name));
  };
  const placed = faults.map((fault) => ({ fault, names: namesOf(fault) }));
  return {
    of: (name) => {
      const found = placed.find((one) => one.names.includes(name));
      return found === undefined ? undefined : textOf(found.fault);
    },
    isComplete: placed.length > 0 && placed.every((one) => one.names.length > 0),
  };
}

/** Returns the JSON pointer at which the API reports faults of a column. */
function pointerIn(base: string, name: string): string {
  return `${base}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
