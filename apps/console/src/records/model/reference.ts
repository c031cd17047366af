import { writeName } from "@rowhouse/access/written-name";
import type {
  NavigationColumn,
  NavigationRelation,
  NavigationResource,
} from "../../shell/navigation.ts";
import type { Row, RowKey } from "./resource.ts";

/** Returns the resource that a relation leads to, if the person may see it. */
export function targetOf(
  resources: readonly NavigationResource[],
  relation: NavigationRelation | undefined,
): NavigationResource | undefined {
  return resources.find(({ id }) => id === relation?.resource.id);
}

/** Returns the filter of the rows that a relation leads to from a row. */
export function relatedFilter({ columns }: NavigationRelation, row: Row): Row {
  return Object.fromEntries(
    (columns ?? []).map(({ from, to }) => [writeName(to), { _eq: row[from] }]),
  );
}

/** Returns the key of the row that a reference leads to; null for none, and for a reference by other columns than the key. */
export function referencedKey(
  { columns }: NavigationRelation,
  target: NavigationResource,
  row: Row,
): RowKey | null {
  const values = target.primaryKey.map((name) => {
    const pair = columns?.find(({ to }) => to === name);
    return pair === undefined ? undefined : row[pair.from];
  });
  const isKnown = values.every((value) => value !== null && value !== undefined);
  return isKnown && values.length > 0 && values.length === columns?.length
    ? values.map(String)
    : null;
}

/** A reference of several columns, as a form edits it. */
export interface CompositeReference {
  readonly relation: NavigationRelation;
  readonly target: NavigationResource;
  readonly columns: readonly NavigationColumn[];
  /** The columns that the person may write. */
  readonly writable: ReadonlySet<string>;
}

/** Whether every column of a reference that the form has is set. */
export function isReferenceSet({ columns }: CompositeReference, row: Row): boolean {
  return columns.every(({ name }) => row[name] !== null && row[name] !== undefined);
}

/**
 * Returns the columns of a reference whose values stay when it changes: those that the person may not write, and those
 * that another reference of the row has set.
 */
export function heldColumns(
  resource: NavigationResource,
  { relation, columns, writable }: CompositeReference,
  row: Row,
): ReadonlySet<string> {
  const isSet = (name: string) => row[name] !== null && row[name] !== undefined;
  const others = resource.relations.filter(
    (one) =>
      one !== relation &&
      one.foreignKey === "OWN" &&
      (one.columns ?? []).every(({ from }) => isSet(from)),
  );
  const names = columns
    .map(({ name }) => name)
    .filter(
      (name) =>
        isSet(name) &&
        (!writable.has(name) ||
          others.some((one) => one.columns?.some(({ from }) => from === name) === true)),
    );
  return new Set(names);
}

/**
 * Returns the values that end a reference: null in its columns that no other reference holds; only in those that may be
 * null, if there are any.
 */
export function endedReference(
  resource: NavigationResource,
  reference: CompositeReference,
  row: Row,
): Row {
  const held = heldColumns(resource, reference, row);
  const writable = reference.columns.filter(({ name }) => reference.writable.has(name));
  const free = writable.filter(({ name }) => !held.has(name));
  const own = free.length > 0 ? free : writable;
  const nullable = own.filter((column) => column.nullable);
  const ended = nullable.length > 0 ? nullable : own;
  return Object.fromEntries(ended.map(({ name }) => [name, null]));
}
