import type { NavigationRelation, NavigationResource } from "../../shell/navigation.ts";
import { type FormField, formFields } from "../fields/form-fields.ts";
import { isFileField } from "../library/file-record.ts";
import { targetOf } from "../model/reference.ts";
import { referenceOf } from "../model/resource.ts";
import { type ValueKind, valueKindOf } from "../values/value-kind.ts";

/** Rows of another table that refer to a record, as lines that are edited together. */
export interface LineList {
  readonly relation: NavigationRelation;
  readonly target: NavigationResource;
  /** The fields of a line, without the columns that name the record. */
  readonly fields: readonly FormField[];
  readonly mayAdd: boolean;
  readonly mayChange: boolean;
  readonly mayRemove: boolean;
  /** Whether a line is nothing but a reference, as in a junction table. */
  readonly isChips: boolean;
}

/** Fields that stand beside each other in a line. */
const fieldsMax = 6;

/** Values that need more room than a line has. */
const wideKinds: ReadonlySet<ValueKind> = new Set(["JSON", "ARRAY", "BYTES", "RANGE", "INTERVAL"]);

/** Returns the relations from rows of other tables to a record. */
function relatedLists({ relations }: NavigationResource): readonly NavigationRelation[] {
  return relations.filter(
    ({ foreignKey, columns }) => foreignKey === "TARGET" && columns !== null && columns.length > 0,
  );
}

/**
 * Returns the lists whose lines are parts of a record, so that its form has them: short lines that no other table refers to.
 */
export function partLists(
  resource: NavigationResource,
  resources: readonly NavigationResource[],
): readonly LineList[] {
  return relatedLists(resource).flatMap((relation) => {
    const list = relation.part && relation.kind === "MANY" ? lineList(relation, resources) : null;
    const isLeaf = list?.target.relations.every(({ foreignKey }) => foreignKey !== "TARGET");
    return list !== null && isLeaf === true ? [list] : [];
  });
}

/** Returns the relations whose rows a record lists beside its form. */
export function otherLists(
  resource: NavigationResource,
  resources: readonly NavigationResource[],
): readonly NavigationRelation[] {
  const parts = partLists(resource, resources).map(({ relation }) => relation);
  return relatedLists(resource).filter((relation) => !parts.includes(relation));
}

/** Returns the lines of a relation; null if they are too wide to stand beside each other, or cannot be read one by one. */
export function lineList(
  relation: NavigationRelation,
  resources: readonly NavigationResource[],
): LineList | null {
  const target = targetOf(resources, relation);
  if (target === undefined || target.kind !== "TABLE" || target.primaryKey.length === 0)
    return null;
  const joined = new Set((relation.columns ?? []).map(({ to }) => to));
  const columns = target.columns.filter(
    ({ name, hasDefault, generated, readable, creatable, updatable }) =>
      !joined.has(name) &&
      (readable || creatable || updatable) &&
      !(target.primaryKey.includes(name) && (hasDefault || generated)),
  );
  const isWide = columns.some((column) => {
    const other = targetOf(resources, referenceOf(target, column));
    return (
      wideKinds.has(valueKindOf(column)) || (other !== undefined && isFileField(column, other))
    );
  });
  const fields = formFields(target, resources, columns, isWritten);
  if (isWide || fields.length === 0 || fields.length > fieldsMax) return null;
  const may = (action: NavigationResource["actions"][number]) => target.actions.includes(action);
  const mayAdd =
    may("CREATE") &&
    target.columns.every(
      ({ name, required, creatable }) => !required || creatable || joined.has(name),
    ) &&
    [...joined].every((name) => target.columns.find((one) => one.name === name)?.creatable);
  const [only] = fields;
  const isReference =
    only?.kind === "REFERENCE" ||
    (only !== undefined && targetOf(resources, referenceOf(target, only.column)) !== undefined);
  return {
    ...{ relation, target, fields, mayAdd },
    mayChange: may("UPDATE"),
    mayRemove: may("DELETE"),
    isChips: fields.length === 1 && isReference,
  };
}

function isWritten({
  creatable,
  updatable,
}: {
  readonly creatable: boolean;
  readonly updatable: boolean;
}): boolean {
  return creatable || updatable;
}
