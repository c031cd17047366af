import { fieldPaths, pathNames, type Resources } from "../../records/filter/resolve-field.ts";
import { referenceOf, titleOf } from "../../records/model/resource.ts";
import { valueKindOf } from "../../records/values/value-kind.ts";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";

/** What a field is to a chart. */
type FieldRole = "TIME" | "CATEGORY" | "NUMBER" | "OTHER";

/** A field of a resource, or of a row that it refers to. */
export interface Field {
  /** The path, unquoted: `vehicle.make`. */
  readonly path: string;
  readonly label: string;
  readonly column: NavigationColumn;
  readonly role: FieldRole;
  /** Whether it belongs to the resource itself. */
  readonly isOwn: boolean;
}

/** Returns the fields that a panel of a resource may use: own ones first, then those of the rows that it refers to. */
export function fieldsOf(
  resource: NavigationResource,
  resources: readonly NavigationResource[],
): readonly Field[] {
  const byId: Resources = new Map(resources.map((one) => [one.id, one]));
  return fieldPaths(resource, byId).flatMap((path): Field[] => {
    const { steps, column } = path;
    if (column === null || steps.some(({ kind }) => kind !== "ONE")) return [];
    return [
      {
        path: [...steps.map(({ name }) => name), column.name].join("."),
        label: steps.length === 0 ? titleOf(column) : pathNames(path).join(" › "),
        column,
        role: roleOf(path.resource, column),
        isOwn: steps.length === 0,
      },
    ];
  });
}

function roleOf(resource: NavigationResource, column: NavigationColumn): FieldRole {
  switch (valueKindOf(column)) {
    case "DATE":
    case "TIMESTAMP":
    case "INSTANT":
      return "TIME";
    case "ENUM":
    case "BOOLEAN":
      return "CATEGORY";
    case "TEXT":
      return isKey(resource, column) ? "OTHER" : "CATEGORY";
    case "INTEGER":
    case "DECIMAL":
    case "FLOAT":
      // The sum of keys says nothing.
      return isKey(resource, column) ? "OTHER" : "NUMBER";
    default:
      return "OTHER";
  }
}

function isKey(resource: NavigationResource, column: NavigationColumn): boolean {
  return resource.primaryKey.includes(column.name) || referenceOf(resource, column) !== undefined;
}

const changedTimes = /^(?:updated|modified|changed|deleted|last)/;

/** The time by which rows of a resource are usually counted: when they began. */
export function usualTime(fields: readonly Field[]): Field | undefined {
  const times = fields.filter(({ role, isOwn }) => role === "TIME" && isOwn);
  const settledOnes = times.filter(({ column }) => !changedTimes.test(column.name));
  return settledOnes.find(({ column }) => !column.nullable) ?? settledOnes[0] ?? times[0];
}

/** The number that is usually summed: one with a format, else a decimal. */
export function usualNumber(fields: readonly Field[]): Field | undefined {
  const numbers = fields.filter(({ role, isOwn }) => role === "NUMBER" && isOwn);
  return (
    numbers.find(({ column }) => column.format !== null) ??
    numbers.find(({ column }) => valueKindOf(column) !== "INTEGER") ??
    numbers.find(({ column }) => !/year/.test(column.name))
  );
}
