import { readName } from "@rowhouse/access/written-name";
import { fieldPaths, keysOf, pathNames } from "../../records/filter/resolve-field.ts";
import { referenceOf } from "../../records/model/resource.ts";
import { type ValueKind, valueKindOf } from "../../records/values/value-kind.ts";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";

/** A field that a DataView can show: a column of its resource, or of a row that it refers to. */
export interface FieldOption {
  /** The path, such as `driver.name`. Terms of a request write it with `writeName`. */
  readonly field: string;
  readonly label: string;
  readonly column: NavigationColumn;
  /** Whether it is a column of the resource itself, which a change of a row can set. */
  readonly isOwn: boolean;
}

/** The fields of a resource and of the rows that it refers to; own ones first. */
export function fieldOptions(
  resource: NavigationResource,
  resources: readonly NavigationResource[],
): readonly FieldOption[] {
  const byId = new Map(resources.map((one) => [one.id, one]));
  return fieldPaths(resource, byId).flatMap((path): FieldOption[] => {
    const { steps, column } = path;
    if (column === null || steps.some(({ kind }) => kind === "MANY")) return [];
    const field = readName(keysOf(path)[0] ?? "");
    const label = pathNames(path).join(" › ");
    return [{ field, label, column, isOwn: steps.length === 0 }];
  });
}

/** What a layout uses a field for. */
export type FieldUse =
  | "any"
  | "text"
  | "image"
  | "badge"
  | "group"
  | "time"
  | "order"
  | "sort"
  | "color"
  | "input";

const timeKinds: ReadonlySet<ValueKind> = new Set(["DATE", "TIMESTAMP", "INSTANT"]);
const unordered: ReadonlySet<ValueKind> = new Set(["JSON", "BYTES", "ARRAY", "RANGE", "OTHER"]);
const badgeKinds: ReadonlySet<ValueKind> = new Set(["ENUM", "BOOLEAN", "TEXT", "ARRAY", "DATE"]);
const imageTypes: ReadonlySet<string> = new Set(["uuid", "text", "character varying"]);

/** Whether a field fits a use. */
function fits(option: FieldOption, use: FieldUse, resource: NavigationResource): boolean {
  const { column, isOwn } = option;
  const kind = valueKindOf(column);
  switch (use) {
    case "any":
      return true;
    case "text":
      return kind !== "BYTES";
    case "image":
      return !column.array && imageTypes.has(column.baseType);
    case "badge":
      return badgeKinds.has(kind);
    case "group":
      return (
        isOwn &&
        (kind === "ENUM" || kind === "BOOLEAN" || referenceOf(resource, column) !== undefined)
      );
    case "time":
      return isOwn && timeKinds.has(kind);
    case "order":
      return isOwn && !unordered.has(kind);
    case "sort":
      return !unordered.has(kind);
    case "color":
      return kind === "ENUM" || kind === "BOOLEAN" || column.colors !== null;
    case "input":
      return isOwn && !column.generated;
    default:
      return use satisfies never;
  }
}

/** The fields that fit a use. */
export function fittingFields(
  options: readonly FieldOption[],
  use: FieldUse,
  resource: NavigationResource,
): readonly FieldOption[] {
  return options.filter((option) => fits(option, use, resource));
}
